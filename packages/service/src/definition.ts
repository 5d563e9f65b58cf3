import type { Database, Query, Store } from '@crm/data';
import type { Commits, PartitionedById, Subscription } from '@crm/messaging';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';
import type { Procedure } from './procedure.ts';

/** A service as a value, which runs in its own process or together with others. */
export interface ServiceDefinition {
  readonly name: string;
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly store: Store;
  /** Its table of what has happened, which only grows unless the number of days to keep is set. */
  readonly history?: PartitionedById;
  /** The names of the services it calls; only services below it. */
  readonly needs?: readonly string[];
  readonly subscriptions: readonly Subscription[];
  readonly workers: readonly Worker[];
  /** Rows that its workers cannot process, for the operator. */
  readonly problems?: (query: Query) => Promise<readonly RowProblem[]>;
}

/** How many rows of a kind are postponed, and one of the reasons. */
export const RowProblem = z.object({ what: z.string(), count: z.int(), reason: z.string().nullable() });

export type RowProblem = z.output<typeof RowProblem>;

/** Background work. Any number of instances may run concurrently. */
export type Worker = (workerContext: WorkerContext) => Promise<{ stop(): Promise<void> }>;

export interface WorkerContext {
  readonly database: Database;
  readonly commits: Commits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly peers: Peers;
}
