import {
  type ActingClient,
  type Changing,
  type ForAll,
  type ImportRun,
  importRows,
  type Outcome,
  openLinesRun,
  openRun,
  readColumns,
  reasonOf,
} from '@crm/contacts-csv';
import { type Query, queryIn } from '@crm/data';
import { actAs, type Context, demand, withoutEntities } from '@crm/service';
import { lockConsentsOf } from '../consents/consent.queries.ts';
import { mayCreateContactSource } from '../contact-sources/contact-source.policy.ts';
import { changeTags } from '../contacts/change-tags.ts';
import { brokerForbidsContacts, mayCreateContact } from '../contacts/contact.policy.ts';
import { contactsFormat } from '../contacts-format.ts';
import { mayCreateCustomField } from '../custom-fields/custom-field.policy.ts';
import { mayCreateHotness } from '../hotnesses/hotness.policy.ts';
import { withTags } from '../tags/tags-text.ts';
import { actingWithin } from './acting-within.ts';
import { addingNoNames } from './adding-no-names.ts';
import { linesType } from './import.api.ts';
import type { Done, ImportTurn } from './note-portion.ts';
import type { Running } from './portion.queries.ts';
import { knowing, optsOut, type ReadPortion, readBy } from './read-ahead.ts';
import { readLine } from './read-lines.ts';
import { noteNamed, noteRehearsed } from './rehearsal.queries.ts';
import { rehearsingAddresses } from './rehearse-addresses.ts';
import { rehearsingLines } from './rehearse-lines.ts';
import { rehearsingTags } from './rehearse-tags.ts';
import type { RemarkedRow } from './remark.queries.ts';
import { columnsIn } from './shown-columns.ts';
import { mappingIn } from './stored-mapping.ts';

interface Acting extends ImportTurn {
  readonly running: Running;
  /** Called before rows are written. */
  readonly onOpened: (run: ImportRun) => void;
  /** Whether tags and other records that rows name are added. */
  readonly addsNames: boolean;
}

/** Imports some rows in a transaction. Throws ContactsCsvError and Refused for what prevents the whole import. */
export async function runPortion(acting: Acting, em: Context['em'], portion: ReadPortion): Promise<Done> {
  const { due, actor, running, onOpened } = acting;
  const { rows } = portion;
  const tagged = new Set<number>();
  const opened = await runFor(acting, em, tagged);
  onOpened(opened);
  const read = await readBy(opened, portion);
  if (!running.dry_run && optsOut(read)) await lockConsentsOf(queryIn(em), actor.id);
  const run = knowing(read, opened);
  const outcomes: Outcome[] = [];
  const control = {
    throwIfStopped: () => undefined,
    onChunk: (some: readonly Outcome[]) => void outcomes.push(...some),
  };
  await importRows({ ownerOf: () => '', runOf: async () => run, rowsAtOnce: rows.length }, rows, control);
  if (run.known) {
    const known = run.known.all().map(({ id, keys, name }) => ({
      id,
      first_name: name.first_name ?? null,
      last_name: name.last_name ?? null,
      email: keys.email?.slice('email:'.length) ?? null,
      mobile_phone: keys.phone?.slice('phone:'.length) ?? null,
      is_named: run.named.has(id),
    }));
    await noteRehearsed(queryIn(em), due.id, known, tagged);
  } else if (running.duplicates === 'update') await noteNamed(queryIn(em), due.id, run.named);
  return { ...summaryOf(outcomes), columns: run.columns && columnsIn(run.columns) };
}

async function runFor(acting: Acting, em: Context['em'], tagged: Set<number>): Promise<ImportRun> {
  const { context, due, running, actor, people, addsNames } = acting;
  const { procedures } = context;
  const { type, dry_run, duplicates, match, create_missing, tags, assigned_user_id, hash } = running;
  const notes = dry_run || duplicates === 'update' ? { importId: due.id, isTrial: dry_run } : undefined;
  const work = { procedures, actor, requestId: due.origin.request_id, people, notes };
  const acts = actingWithin(context, work, em);
  const client = addsNames ? acts : addingNoNames(acts, queryIn(em));
  const forAll = givenToAll(tags, assigned_user_id);
  const options = {
    dryRun: dry_run,
    duplicates,
    match,
    createMissing: create_missing,
    mayCreate: {
      hotness: mayCreateHotness(actor),
      source: mayCreateContactSource(actor),
      customField: mayCreateCustomField(actor),
    },
    today: context.clock().toISOString().slice(0, 10),
    forAll,
    changing: changingWholly(acting, em, (inner) => actingWithin(context, work, inner)),
    isLocal: true,
  };
  const run =
    type === linesType
      ? await openLinesRun(client, hash, options, (row) =>
          readLine(row, forAll, options.duplicates === 'create'),
        )
      : await openRun(client, sourceOf(running), options);
  const writer = dry_run
    ? rehearsing(acting, queryIn(em), tagged, rehearsingAddresses(client, run.writer))
    : run.writer;
  // An earlier run of the import, before it was restarted, may have set other values for all rows.
  return { ...run, writer, readsBy: JSON.stringify([tags, assigned_user_id, run.readsBy]) };
}

/** The writer of a dry run, which refuses what the import would refuse. */
function rehearsing(
  { due, actor, running: { type, tags } }: Acting,
  query: Query,
  tagged: Set<number>,
  writer: ImportRun['writer'],
): ImportRun['writer'] {
  const allowed: ImportRun['writer'] = {
    ...writer,
    async create(rows) {
      demand(mayCreateContact(actor), brokerForbidsContacts);
      return writer.create(rows);
    },
  };
  const checked =
    tags === null ? allowed : rehearsingTags(query, { importId: due.id, tags, tagged }, allowed);
  return type === linesType ? rehearsingLines(query, actor, checked) : checked;
}

function sourceOf({ headers, mapping, hash }: Running) {
  const format = contactsFormat;
  const mapped = mappingIn(mapping);
  return { format, columns: readColumns(headers, mapped, format), allOthers: mapped.has('*'), hash };
}

/** Tags besides those of the row, and an assignee if it names none. */
function givenToAll(tags: string | null, assigned_user_id: number | null): ForAll | undefined {
  if (tags === null && assigned_user_id === null) return undefined;
  return (draft) => ({
    ...(assigned_user_id !== null && { assigned_user_id }),
    ...draft,
    ...(tags !== null && { tags: withTags(draft.tags ?? '', tags) }),
  });
}

/**
 * Contacts that are updated keep their tags and get those of the import. A refused row leaves its contact as it was: several
 * mutations for one row are enclosed in a savepoint. Their own savepoints have to be nested in it: consecutive savepoints have
 * the same name, and a rollback would only go back to the last one.
 */
function changingWholly(
  { context, due, actor, running: { tags } }: Acting,
  em: Context['em'],
  clientIn: (inner: Context['em']) => ActingClient,
): Changing {
  const work = { actor, requestId: due.origin.request_id, action: 'contacts.patch' };
  return async (id, { sharedWith, optOuts }, change) => {
    if (tags === null && sharedWith.length === 0 && optOuts.length === 0) return change(clientIn(em));
    const changeAll = async (inner: Context['em']) => {
      await change(clientIn(inner));
      if (tags === null) return;
      await changeTags(actAs(context, work, inner), id, (text) => withTags(text, tags));
      await inner.flush();
    };
    await em.transactional(changeAll, withoutEntities);
  };
}

function summaryOf(outcomes: readonly Outcome[]) {
  const counts = { created: 0, updated: 0, skipped: 0, failed: 0, warned: 0 };
  const remarked = outcomes.flatMap((outcome): RemarkedRow[] => {
    const { kind, row, warnings } = outcome;
    counts[kind]++;
    const { line, cells } = row;
    if (kind === 'failed') return [{ line, cells, is_error: true, reason: reasonOf(outcome.errors) }];
    if (warnings.length === 0) return [];
    counts.warned++;
    return [{ line, cells, is_error: false, reason: reasonOf(warnings) }];
  });
  return { counts, remarked };
}
