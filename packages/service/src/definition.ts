import type { Contract } from '@crm/contract';
import type { Database, Store } from '@crm/data';
import type { Subscription } from '@crm/messaging';
import type { Clock } from './clock.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';

/** A service as a value. The same value runs in a process of its own or together with others. */
export interface ServiceDefinition {
  readonly name: string;
  readonly contract: Contract;
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly store: Store;
  /** The names of the services it asks; only such as are further down. */
  readonly needs?: readonly string[];
  readonly subscriptions: readonly Subscription[];
  readonly workers: readonly Worker[];
}

/** Work that no request asks for. Any number of instances may run at once. */
export type Worker = (workerContext: WorkerContext) => Promise<{ stop(): Promise<void> }>;

export interface WorkerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly peers: Peers;
}
