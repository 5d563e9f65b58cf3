import type { MessageTable, Row } from '@crm/data';
import { type DeliveryBlock, type Email, emailsAtOnce, type PhoneCall, type Text } from '@crm/delivery';
import type { PeerContext, Publishing, WorkerContext } from '@crm/service';
import type { z } from 'zod';
import type { DueRow } from './due-row.ts';

/**
 * The names of a table of messages with a due time. It also has the columns id, key, attempts, next_attempt_at, lease_until,
 * begun_at, doubtful_since, doubtful_attempts, sent_to, sent_digest, reference, delivery_state and cause. In all SQL, `t` is one
 * of its rows.
 */
export interface DispatchTable extends MessageTable {
  readonly lane: string;
  /** The state of a row that was sent. */
  readonly sent: string;
  /** The column of the owners who share the slots of a lane, if they do. An index has it after the lane. */
  readonly sharedBy?: string;
  /** SQL condition that all due rows meet and that an index supports. */
  readonly dueImplies?: string;
  /** Whether no index orders the rows of a lane by their due time. */
  readonly isUnordered?: true;
  /** SQL assignments for when a row is sent, from `wanted`, and for when an outcome is stored, from `outcome`. */
  readonly onBegin?: string;
  readonly onSettle?: string;
}

/** The usual names of a table of messages, unless the API shows its states. */
export const usualNames = { state: 'state', reason: 'reason', waiting: 'Waiting', sent: 'Done' } as const;

/** How many rows of each lane one process may lease, for queues that share their providers with others. */
export const usualSlots = { Email: 2 * emailsAtOnce, Text: 48, Phone: 24 } as const;

/** How many rows of a lane may be leased, or of one owner if the slots are shared. */
export interface Share {
  readonly lane: string;
  readonly owner?: number;
  readonly max: number;
}

/** A reason for which the final check does not allow a row to be sent. */
export interface Obstacle {
  /** SQL condition over `t`, `wanted` and the tables that the check joins. */
  readonly when: string;
  readonly state: 'Dropped' | 'Failed' | 'Waiting';
  readonly reason: string;
  /** After how many seconds a row that waits is checked again; 1 unless set. */
  readonly seconds?: number;
  /** The reason of a row that is moved instead of waiting, if the check found out until when the obstacle lasts. */
  readonly movedBecause?: (until: string) => string;
}

export interface FinalCheck {
  /**
   * SQL of the keys that limits count by, from `t` and its `wanted_to`. Rows with a key in common are checked one after the
   * other.
   */
  readonly limits?: readonly string[];
  /** Common table expressions, from `wanted`, for the joins and obstacles. */
  readonly facts?: string;
  readonly joins?: string;
  /** SQL of the time until which obstacles with `movedBecause` last, in milliseconds since 1970, or null. */
  readonly until?: string;
  /** The first one that applies decides. */
  readonly obstacles: readonly Obstacle[];
  /** The joins may wait for another transaction, so each row is checked in its own statement. */
  readonly isAlone?: boolean;
}

/** A message with its destination, in the form that the provider expects. */
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

/** What to do with a leased row. */
export type Plan =
  | Sendable
  | { readonly state: 'Dropped' | 'Failed'; readonly reason: string }
  | { readonly state: 'Moved'; readonly reason: string; readonly until: string }
  /** Other work, which also settles the row. */
  | { readonly run: () => Promise<void> };

/** A number in E.164 or an e-mail address to which nothing more may be sent, and why. */
export interface BlockedRecipient {
  readonly to: string;
  /** The lane of the row that was sent to it. */
  readonly lane: string;
  readonly why: DeliveryBlock;
}

/** What is published about the outcomes of rows. */
export interface PublishedOutcomes {
  /** The columns that `publish` reads, in SQL of `t` and `outcome`, besides the id and the cause. */
  readonly columns: string;
  /** Publishes the outcomes in the transaction that stores them. */
  readonly publish: (origin: Publishing, settled: readonly Row[]) => void;
}

/** Rows that are sent when they are due, and how the facts about them are loaded. */
export interface Queue<Due extends DueRow = DueRow, Facts = unknown> {
  /** What is sent, for the log. */
  readonly what: string;
  /** Its name in metrics and traces, and the prefix of its crash points. */
  readonly name: string;
  /** The path to which the provider reports the status of a text or call; the key is appended. */
  readonly statusPath: string;
  /**
   * How many rows of a lane one process may lease at once: no more than its provider can handle within their lease. A slow
   * provider delays only its own lane.
   */
  readonly slots: Readonly<Record<string, number>>;
  /**
   * The lane of e-mails, if its slots are also limited to what the mail server accepts within two seconds, but to no fewer than
   * five per connection: the facts about e-mails that wait for a slow server would grow old.
   */
  readonly emails?: string;
  readonly laneOf: (row: Due) => string;
  readonly table: DispatchTable;
  readonly row: z.ZodType<Due>;
  /** A `select` of the row with its cause and the data that it needs from other tables, from `leased`. */
  readonly select: string;
  readonly check: FinalCheck;
  /** Loads the facts about the rows from other services. */
  readonly load: (peers: PeerContext, rows: readonly Due[]) => Promise<Facts>;
  /** The current message, or why there is none. */
  readonly plan: (row: Due, facts: Facts, context: WorkerContext) => Plan;
  /** Records that a number or an address must get no further messages. */
  readonly recordBlock?: (peers: PeerContext, blocked: BlockedRecipient, at: Date) => Promise<unknown>;
  /** Whether a message to a blocked number or address is planned again, because the plan may find another channel. */
  readonly hasOtherWays?: true;
  /** Whether a message is worth sending however late it is; others are given up after a day. */
  readonly isNeverTooLate?: true;
  readonly outcomes?: PublishedOutcomes;
}

/** Distributes free slots among owners. */
export interface Sharing {
  next(free: Free): Promise<readonly Share[]>;
  /** Called when fewer rows were found than there were slots for. */
  forget(): void;
}

export type Free = Readonly<Record<string, number>>;
