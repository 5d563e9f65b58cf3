import type { MessageTable, Row } from '@crm/data';
import { type DeliveryBlock, type Email, emailsAtOnce, type PhoneCall, type Text } from '@crm/delivery';
import type { PeerContext, Publishing, WorkerContext } from '@crm/service';
import type { z } from 'zod';
import type { DueRow } from './due-row.ts';

/**
 * The names of a table of messages that are sent when they are due. It also has the columns id, key, attempts,
 * next_attempt_at, lease_until, begun_at, doubtful_since, doubtful_attempts, sent_to, sent_digest, reference,
 * delivery_state and cause. In all SQL, `t` is a row of it.
 */
export interface DispatchTable extends MessageTable {
  readonly lane: string;
  /** The state of a row that was sent. */
  readonly sent: string;
  /** The column of the owners among whom the slots of a lane are shared, if they are. An index has it after the lane. */
  readonly sharedBy?: string;
  /** What is so of every row that is due and leads to these by an index, in SQL. */
  readonly dueImplies?: string;
  /** Whether no index has the rows of a lane in the order of their time. */
  readonly isUnordered?: true;
  /** Assignments when a row is sent, from `wanted`, and when an outcome is stored, from `outcome`. */
  readonly onBegin?: string;
  readonly onSettle?: string;
}

/** The names that a table of messages has, unless the API shows its states. */
export const usualNames = { state: 'state', reason: 'reason', waiting: 'Waiting', sent: 'Done' } as const;

/** How many rows of each lane one process may lease, for a queue that shares providers with others. */
export const usualSlots = { Email: 2 * emailsAtOnce, Text: 48, Phone: 24 } as const;

/** How many rows of a lane may be leased, of one owner if the slots are shared. */
export interface Share {
  readonly lane: string;
  readonly owner?: number;
  readonly max: number;
}

/** A reason for which the final check does not let a row be sent. */
export interface Obstacle {
  /** In SQL, of `t`, of `wanted` and of what the check joins. */
  readonly when: string;
  readonly state: 'Dropped' | 'Failed' | 'Waiting';
  readonly reason: string;
  /** After how many seconds a row that waits is checked again; 1 unless set. */
  readonly seconds?: number;
  /** The reason of a row that is moved instead of waiting, if the check has found a moment until which the obstacle stands. */
  readonly movedBecause?: (until: string) => string;
}

export interface FinalCheck {
  /**
   * SQL of texts that name what limits count, from `t` and its `wanted_to`. Rows with a text in common are checked one
   * by one.
   */
  readonly limits?: readonly string[];
  /** Common table expressions, from `wanted`, for the joins and obstacles. */
  readonly facts?: string;
  readonly joins?: string;
  /** SQL of the moment until which obstacles with `movedBecause` stand, in milliseconds since 1970, or null. */
  readonly until?: string;
  /** The first that applies counts. */
  readonly obstacles: readonly Obstacle[];
  /** The joins wait for somebody else, so that a row must not wait together with others. */
  readonly isAlone?: boolean;
}

/** A message with its destination, in the words of the provider. */
export type Message =
  | { readonly email: Omit<Email, 'key'> }
  | { readonly text: Omit<Text, 'key'> }
  | { readonly call: Omit<PhoneCall, 'key'> };

/** A message that is to be sent. */
export interface Sendable {
  readonly send: Message;
  /** Who it is sent to, if the row names a user. */
  readonly user_id?: number;
  /** The number in E.164 that a call asks its recipient to call. */
  readonly about?: string;
  readonly remark?: string | null;
}

/** What is done with a leased row. */
export type Plan =
  | Sendable
  | { readonly state: 'Dropped' | 'Failed'; readonly reason: string }
  | { readonly state: 'Moved'; readonly reason: string; readonly until: string }
  /** Something else, which also settles the row. */
  | { readonly run: () => Promise<void> };

/** A number in E.164 or an e-mail address to which nothing more is to be sent, and why. */
export interface BlockedRecipient {
  readonly to: string;
  /** Of the row that was sent to it. */
  readonly lane: string;
  readonly why: DeliveryBlock;
}

/** What is published of the outcomes of rows. */
export interface PublishedOutcomes {
  /** What `publish` reads, in SQL of `t` and `outcome`, with the id and the cause. */
  readonly columns: string;
  /** Publishes the outcomes in the transaction that stores them. */
  readonly publish: (origin: Publishing, settled: readonly Row[]) => void;
}

/** Rows that are sent when they are due, and what other services know about them. */
export interface Queue<Due extends DueRow = DueRow, Facts = unknown> {
  /** What is sent, for the log. */
  readonly what: string;
  /** Its name in metrics, in traces and before its crash points. */
  readonly name: string;
  /** Where the provider reports the status of a text or call, before its key. */
  readonly statusPath: string;
  /**
   * How many rows of a lane one process may lease at once: no more than its provider can take within their lease. A slow
   * provider delays only its own lane.
   */
  readonly slots: Readonly<Record<string, number>>;
  /**
   * The lane of e-mails, if its slots are also limited by what the mail server accepts within two seconds, but not to fewer than
   * five for each connection: what is known about those that wait for a slow one would grow old.
   */
  readonly emails?: string;
  readonly laneOf: (row: Due) => string;
  readonly table: DispatchTable;
  readonly row: z.ZodType<Due>;
  /** A `select` of the row with its cause and what it needs from other tables, from `leased`. */
  readonly select: string;
  readonly check: FinalCheck;
  /** What other services know about the rows. */
  readonly load: (peers: PeerContext, rows: readonly Due[]) => Promise<Facts>;
  /** The message as it is now, or why there is none. */
  readonly plan: (row: Due, facts: Facts, context: WorkerContext) => Plan;
  /** Records that nothing more is to be sent to a number or an address. */
  readonly recordBlock?: (peers: PeerContext, blocked: BlockedRecipient, at: Date) => Promise<unknown>;
  /** Whether a message whose number or address is blocked is planned again, because the plan may know another way. */
  readonly hasOtherWays?: true;
  /** Whether a message is worth sending however late it is; others are given up after a day. */
  readonly isNeverTooLate?: true;
  readonly outcomes?: PublishedOutcomes;
}

/** Distributes free slots. */
export interface Sharing {
  next(free: Free): Promise<readonly Share[]>;
  /** Called when fewer rows were found than there were slots for. */
  forget(): void;
}

export type Free = Readonly<Record<string, number>>;
