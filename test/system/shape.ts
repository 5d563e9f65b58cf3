import type { ServiceDefinition } from '@crm/service';
import type { FreshDatabase } from '@crm/testing';
import { type Logger, pino } from 'pino';
import type { Settings } from './settings.ts';

/** What a shape is built on. */
export interface Ground {
  readonly definitions: readonly ServiceDefinition[];
  readonly database: FreshDatabase;
  readonly natsUrl: string;
  readonly settings: Settings;
  /** Of the gateway. */
  readonly port: number;
  /** What is deferred to it is undone in the opposite order. */
  readonly cleanup: AsyncDisposableStack;
}

export interface Running {
  readonly url: string;
  readonly services: Readonly<Record<string, string>>;
  readonly logs: () => readonly LogLine[];
}

export type LogLine = Readonly<Record<string, unknown>>;

/** A log that can be read. What was logged is kept whole, so that a test can look for what must not be in it. */
export function readableLog(): { readonly log: Logger; readonly logs: () => readonly LogLine[] } {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { log, logs: () => lines.map((line) => JSON.parse(line) as LogLine) };
}
