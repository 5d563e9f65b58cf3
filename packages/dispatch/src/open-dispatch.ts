import type { Query } from '@crm/data';
import { emailsAtOnce, openDelivery, type Providers } from '@crm/delivery';
import type { WorkerContext } from '@crm/service';
import { type SpanFacts, traced } from '@crm/telemetry';
import { crashPoint } from './crash-point.ts';
import type { DueRow } from './due-row.ts';
import { askAbout, askingAgain } from './facts.ts';
import { emailMs, providerMs } from './lease.ts';
import { leaseRows } from './lease-rows.ts';
import { findingOwners } from './owners-due.queries.ts';
import type { Free, Queue, Share, Sharing } from './queue.ts';
import { reconcile } from './reconcile.ts';
import { type Room, roomFor } from './room.ts';
import { rowStore } from './row-store.ts';
import { sendRow } from './send-row.ts';
import type { Sending } from './sending.ts';
import { shareSlots } from './share-slots.ts';

/** What an instance does with the due rows of a queue. */
export interface Dispatch<Due extends DueRow> {
  /** How many rows of a lane may be leased now. */
  slots(lane: string): number;
  /** Leases due rows, within the limit of each lane. */
  lease(free: Free): Promise<readonly Due[]>;
  /** Sends leased rows independently, and calls `ended` for each. */
  send(rows: readonly Due[], ended: (row: Due) => void): Promise<void>;
  /** Finds unknown outcomes of rows. */
  reconcile(): Promise<void>;
  /** Stops waiting for responses of the mail server. */
  endEmails(): Promise<void>;
  close(): Promise<void>;
}

/** How long a leased e-mail may wait for a connection. */
const leasedMs = 2_000;

const slotsOf =
  ({ slots, emails: paced }: Pick<Queue, 'slots' | 'emails'>, emails: Room) =>
  (lane: string) => {
    const most = slots[lane] ?? 0;
    return lane === paced ? Math.min(most, Math.max(5 * emailsAtOnce, emails.within(leasedMs))) : most;
  };

/** The providers, and the URL at which they reach this system. */
export type Delivering = Providers & { readonly publicUrl: string };

export function openDispatch<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  delivery: Delivering,
  context: WorkerContext,
): Dispatch<Due> {
  const { query, messages } = context.database;
  const honoursKeys = delivery.carrier?.honoursKeys ?? false;
  const provider = openDelivery(delivery, { timeoutMs: providerMs, emailTimeoutMs: emailMs });
  const store = rowStore(queue, context);
  const sharing = sharingOf(queue, query);
  const emails = roomFor(emailsAtOnce);
  const askAgain = askingAgain(queue, context);
  const callbackUrl = callbackUrlOf(delivery);
  const work = { askAgain, store, provider, emails, honoursKeys, callbackUrl, context };

  return {
    slots: slotsOf(queue, emails),
    async lease(free) {
      await store.releaseAbandoned(honoursKeys);
      const shares = await sharing.next(free);
      if (shares.length === 0) return [];
      const leased = await leaseRows(queue, { query, log: context.log }, shares);
      if (leased.length < shares.reduce((sum, { max }) => sum + max, 0)) sharing.forget();
      return leased;
    },

    send: (rows, ended) => sendRows(queue, work, rows, ended),

    reconcile: () => reconcile(queue, { store, provider, query, tables: messages, log: context.log }),

    endEmails: () => provider.endEmails(),

    close: () => provider.close(),
  };
}

/** Throws if one could not be sent. That row stays leased until its lease expires, as after a crash of the process. */
async function sendRows<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  work: Sending<Due, Facts>,
  rows: readonly Due[],
  ended: (row: Due) => void,
): Promise<void> {
  await crashPoint(`${queue.name}.leased`);
  const known = await tracedAsking(queue, rows, () => askAbout(queue, work.context, rows));
  const one = (row: Due) => tracedSending(queue, row, () => sendRow(queue, work, row, known.get(row)));
  const outcomes = await Promise.allSettled(rows.map((row) => one(row).finally(() => ended(row))));
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

type Named = Pick<Queue, 'name' | 'table'>;

const tracedAsking = <Result>({ name }: Named, rows: readonly DueRow[], work: () => Promise<Result>) =>
  traced(() => ({ name: `ask about ${name}` }), work, { causes: () => rows.map(({ cause = {} }) => cause) });

const tracedSending = (queue: Named, row: DueRow, work: () => Promise<void>) =>
  traced(() => spanOf(queue, row), work, { causes: () => [row.cause ?? {}] });

const spanOf = ({ name, table }: Named, { id, attempts, seconds_late, cause = {} }: DueRow): SpanFacts => ({
  name: `send ${name}`,
  kind: 'consumer',
  attributes: {
    'crm.record': `${table.name}/${id}`,
    'crm.attempt': attempts,
    'crm.seconds_late': seconds_late,
    ...(cause.request_id !== undefined && { 'crm.request_id': cause.request_id }),
  },
});

function sharingOf({ table, slots }: Pick<Queue, 'table' | 'slots'>, query: Query): Sharing {
  const { sharedBy } = table;
  if (sharedBy === undefined) return ownSlots();
  return shareSlots(findingOwners(query, { ...table, sharedBy }, Object.keys(slots)));
}

/** Each lane has its own slots, and its rows do not share them by owner. */
function ownSlots(): Sharing {
  return {
    next: async (free) => Object.entries(free).map(([lane, max]): Share => ({ lane, max })),
    forget: () => undefined,
  };
}

/** A provider cannot post to this machine, and refuses a message with such a callback URL. */
function callbackUrlOf({ publicUrl }: Delivering): string | undefined {
  const { hostname } = new URL(publicUrl);
  return /^(localhost|127\..*|\[::1\])$/.test(hostname) ? undefined : publicUrl;
}
