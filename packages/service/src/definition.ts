import type { Contract } from '@crm/contract';
import type { Database, Store } from '@crm/data';
import type { Subscription } from '@crm/messaging';
import type { Clock } from './clock.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';

/** A service as a value, which runs in its own process or together with others. */
export interface ServiceDefinition {
  readonly name: string;
  readonly contract: Contract;
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly store: Store;
  /** The names of the services it calls; only services below it. */
  readonly needs?: readonly string[];
  readonly subscriptions: readonly Subscription[];
  readonly workers: readonly Worker[];
}

/** Background work. Any number of instances may run concurrently. */
export type Worker = (workerContext: WorkerContext) => Promise<{ stop(): Promise<void> }>;

export interface WorkerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly peers: Peers;
}
