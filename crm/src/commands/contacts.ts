import { ContactsCsvError, type ImportOptions, type Match, readMapping } from '@crm/contacts-csv';
import { machineClock } from '@crm/service';
import type { Report } from '../command-line.ts';
import { pathOf } from '../path-of.ts';
import { printable } from '../printable.ts';
import { type Controls, progressBarOn } from '../progress-bar.ts';
import { stopSwitch } from '../start/stop-switch.ts';
import { contactsFormat } from '../system/contacts-format.ts';
import { Unable } from '../system/unable.ts';
import { type AssignFlags, assignContacts } from './assign-contacts.ts';
import { exportContactsOf } from './export-contacts.ts';
import { importFile } from './import-contacts.ts';
import { importText } from './import-text.ts';

export interface ImportFlags {
  readonly user?: string;
  readonly dryRun?: boolean;
  readonly duplicates: ImportOptions['duplicates'];
  readonly match: Match;
  readonly map?: string;
  readonly createMissing?: boolean;
}

export interface ExportFlags {
  readonly user?: string;
  readonly output?: string;
}

/** The first Ctrl-C lets running requests finish, so that a token can be revoked; the second does not wait. */
const controlsFor = (json: boolean): Controls => ({
  progress: progressBarOn(process.stderr, json),
  throwIfStopped: stopSwitch(() => process.exit(1)).throwIfStopped,
});

export async function importInto(
  env: NodeJS.ProcessEnv,
  file: string,
  { map, dryRun = false, createMissing = false, ...options }: ImportFlags,
  json: boolean,
): Promise<Report> {
  const path = pathOf(file, env);
  const today = machineClock().toISOString().slice(0, 10);
  const order = { ...options, path, dryRun, createMissing, today, mapping: mappingIn(map) };
  const summary = await importFile(env, order, controlsFor(json));
  return {
    json: summary,
    text: importText(summary),
    failed: summary.failed > 0 || summary.stopped !== null,
  };
}

function mappingIn(map = '') {
  try {
    return readMapping(map, contactsFormat);
  } catch (error) {
    throw error instanceof ContactsCsvError ? new Unable('Usage', `--map ${error.message}`) : error;
  }
}

export async function exportFrom(
  env: NodeJS.ProcessEnv,
  { user, output: file }: ExportFlags,
  json: boolean,
): Promise<Report> {
  const output = file === undefined ? undefined : pathOf(file, env);
  if (json && output === undefined) {
    throw new Unable('Usage', '--json requires --output FILE, because both write to standard output.');
  }
  const rows = await exportContactsOf(env, { user, output }, controlsFor(json));
  const text = output === undefined ? '' : `Exported ${rows} contacts to ${printable(output)}.`;
  return { json: { rows, output }, text };
}

export const assignFrom = (env: NodeJS.ProcessEnv, flags: AssignFlags, json: boolean): Promise<Report> =>
  assignContacts(env, flags, controlsFor(json));
