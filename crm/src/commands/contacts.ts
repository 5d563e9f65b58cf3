import { advanceOn } from '../advance.ts';
import type { Report } from '../command-line.ts';
import { exportContacts } from '../contacts-export/export-contacts.ts';
import { readMapping } from '../contacts-import/columns.ts';
import { importContacts } from '../contacts-import/import-contacts.ts';
import type { Match } from '../contacts-import/same-person.ts';
import { summaryText } from '../contacts-import/tally.ts';
import { printable } from '../printable.ts';
import { stopSwitch } from '../start/stop-switch.ts';
import { Unable } from '../system/unable.ts';

export interface ImportOptions {
  readonly user: string;
  readonly dryRun?: boolean;
  readonly duplicates: 'update' | 'skip';
  readonly match: Match;
  readonly map?: string;
}

export interface ExportOptions {
  readonly user?: string;
  readonly output?: string;
}

/** The first Ctrl-C lets what is under way end, so that its token can be revoked; the second does not wait. */
const wayFor = (json: boolean) => ({
  advance: advanceOn(process.stderr, json),
  mayContinue: stopSwitch(() => process.exit(1)).mayContinue,
});

export async function importInto(
  env: NodeJS.ProcessEnv,
  path: string,
  { map, dryRun = false, ...options }: ImportOptions,
  json: boolean,
): Promise<Report> {
  const order = { ...options, path, dryRun, mapping: readMapping(map) };
  const summary = await importContacts(env, order, wayFor(json));
  return {
    json: summary,
    text: summaryText(summary),
    failed: summary.failed > 0 || summary.stopped !== null,
  };
}

export async function exportFrom(
  env: NodeJS.ProcessEnv,
  { user, output }: ExportOptions,
  json: boolean,
): Promise<Report> {
  if (json && output === undefined) {
    throw new Unable('Usage', '--json wants --output FILE: standard output has room for one of the two.');
  }
  const rows = await exportContacts(env, { user, output }, wayFor(json));
  const text = output === undefined ? '' : `${rows} contacts are in ${printable(output)}.`;
  return { json: { rows, output }, text };
}
