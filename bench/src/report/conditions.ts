import { cpus, totalmem } from 'node:os';
import type { Options } from '../options.ts';

/** Under what conditions the figures were measured. */
export interface Conditions {
  readonly options: Options;
  /** One line for people. */
  readonly text: string;
}

/** The day, the machine and the versions. The load is that of other programs, before the run. */
export function machineText(load: number, { node, postgres }: Readonly<Record<string, string>>): string {
  const processors = cpus();
  return [
    new Date().toISOString().slice(0, 10),
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `load ${load.toFixed(1)} before the run`,
    `Node ${node}, PostgreSQL ${postgres}`,
  ].join('; ');
}

export function conditionsOf(
  options: Options,
  load: number,
  versions: Readonly<Record<string, string>>,
): Conditions {
  const { contacts, rounds, seconds, shape } = options;
  const parts = [
    machineText(load, versions),
    shape === 'one' ? 'one process' : 'a process for each service',
    `${contacts.toLocaleString('en')} contacts`,
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s`,
  ];
  return { options, text: parts.join('; ') };
}
