import { cpus, totalmem } from 'node:os';
import type { Options } from '../options.ts';

/** Under what conditions the figures were measured. */
export interface Conditions {
  readonly options: Options;
  /** One line for people. */
  readonly text: string;
}

/** The load is that of other programs, before the run. */
export function conditionsOf(
  options: Options,
  load: number,
  { node, postgres }: Readonly<Record<string, string>>,
): Conditions {
  const { contacts, rounds, seconds, shape } = options;
  const processors = cpus();
  const parts = [
    new Date().toISOString().slice(0, 10),
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `load ${load.toFixed(1)} before the run`,
    `Node ${node}, PostgreSQL ${postgres}`,
    shape === 'one' ? 'one process' : 'a process for each service',
    `${contacts.toLocaleString('en')} contacts`,
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s`,
  ];
  return { options, text: parts.join('; ') };
}
