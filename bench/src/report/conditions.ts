import { cpus, totalmem } from 'node:os';
import type { Options } from '../options.ts';

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

/** Under what conditions the figures were measured, in one line for people. */
export function conditionsOf(
  { contacts, rounds, seconds, shape }: Options,
  load: number,
  versions: Readonly<Record<string, string>>,
): string {
  return [
    machineText(load, versions),
    shape === 'one' ? 'one process' : 'a process for each service',
    `${contacts.toLocaleString('en')} contacts`,
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s`,
  ].join('; ');
}
