import type { Delivery } from '@crm/delivery';
import type { WorkerContext } from '@crm/service';
import type { DueRow } from './due-row.ts';
import type { FactsOrReason } from './facts.ts';
import type { Room } from './room.ts';
import type { RowStore } from './row-store.ts';

/** What sending a row needs. */
export interface Sending<Due extends DueRow, Facts> {
  /** The facts about a row now, loaded together with those of other rows. */
  readonly askAgain: (row: Due) => Promise<FactsOrReason<Facts> | undefined>;
  readonly store: Pick<RowStore, 'begin' | 'beginAgain' | 'settle'>;
  readonly provider: Delivery;
  /** Where an e-mail waits for a connection to the mail server. */
  readonly emails: Room;
  /** Whether the carrier recognizes a text or call that is sent again. */
  readonly honoursKeys: boolean;
  /** The URL at which the provider reaches this system, if it can. */
  readonly callbackUrl: string | undefined;
  readonly context: WorkerContext;
}
