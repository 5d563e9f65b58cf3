import type { ServiceDefinition } from '@crm/service';
import type { FreshDatabase } from '@crm/testing';
import type { Settings } from './settings.ts';

/** What a shape is built on. */
export interface Ground {
  readonly definitions: readonly ServiceDefinition[];
  readonly database: FreshDatabase;
  /** A pooler in front of the databases. */
  readonly poolerUrl?: string | undefined;
  /** Where each service connects to the broker, with its own user. */
  readonly natsUrls: Readonly<Record<string, string>>;
  readonly settings: Settings;
  /** Of the gateway. */
  readonly port: number;
  /** What is deferred to it is undone in the opposite order. */
  readonly cleanup: AsyncDisposableStack;
}

export interface Running {
  readonly url: string;
  readonly services: Readonly<Record<string, string>>;
  /** Kept whole, so that a test can look for what must not be in it. */
  readonly logs: LogLine[];
}

export type LogLine = Readonly<Record<string, unknown>>;
