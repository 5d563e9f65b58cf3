import { type Actor, isUser, type User } from '@crm/auth';
import { Binds } from '@crm/query';
import type { ListQuery } from './list-query.ts';
import { jsonOf, linesOf, type Page, type Shown } from './page-statement.ts';
import type { Query } from './query.ts';
import { fieldsOf, type JsonText, type ReadModel } from './read-model.ts';

/** How much JSON is kept of the records of a model: that of some ten thousand contacts. */
const maxCharacters = 2 ** 24;
/** A larger page would take the place of those of many users, and be gone itself before it is read again. */
const maxPageCharacters = maxCharacters / 8;
const maxRegulars = 10_000;

/** The JSON of records that this process has read. */
interface Memory {
  /** By id and fingerprint, least recently used first. */
  readonly records: Map<string, string>;
  characters: number;
  /** Users most of whose latest page was known. For others, a statement for the fingerprints alone would be wasted. */
  readonly regulars: Set<number>;
}

/** By what is shown of the records, which models with other conditions share. */
const memories = new WeakMap<ReadModel['fields'], Memory>();

/** Runs the statement of a page that shows something of each record. */
type ReadPage = (shown: (binds: Binds) => Shown) => Promise<Page>;

/**
 * Reads a page with the JSON of its records. For a first page, which is read again and again, PostgreSQL returns the ids of its
 * records with a fingerprint of each. It builds the JSON, which takes most of the time, only for records whose fingerprint this
 * process does not know.
 */
export async function readRecords(
  query: Query,
  model: ReadModel,
  viewer: Actor,
  find: ListQuery,
  read: ReadPage,
): Promise<JsonText> {
  const { fingerprint } = model;
  const isFirst = find.skip === 0 && !find.after;
  const fields = (binds: Binds) => ({ fields: fieldsOf(model, viewer, binds, find.select, 'page') });
  if (!fingerprint || !isFirst || find.select || !isUser(viewer)) {
    const page = await read(fields);
    return jsonOf(page, page.lines);
  }
  const mark = (binds: Binds) => ({ mark: `concat(${model.table}.id, ':', ${fingerprint(viewer, binds)})` });
  const both = (binds: Binds) => ({ ...mark(binds), ...fields(binds) });
  const memory = memoryOf(model);
  const known = memory.regulars.has(viewer.id)
    ? await readKnown(query, model, viewer, { memory, mark, both, read })
    : undefined;
  if (known) return known;
  const page = await read(both);
  const records = page.lines.map(parted);
  const [marks, jsons] = [records.map(([mark]) => mark), records.map(([, json]) => json)];
  recall(memory, viewer, marks);
  keepAll(memory, records);
  return jsonOf(page, jsons);
}

type MarkedJson = readonly [mark: string, json: string];

interface Marked {
  readonly memory: Memory;
  readonly mark: (binds: Binds) => Shown;
  readonly both: (binds: Binds) => Shown;
  readonly read: ReadPage;
}

/** Reads a page most of whose records are likely to be known. Undefined if another one has changed between the statements. */
async function readKnown(
  query: Query,
  model: ReadModel,
  viewer: User,
  { memory, mark, both, read }: Marked,
): Promise<JsonText | undefined> {
  const page = await read(mark);
  const records = recall(memory, viewer, page.lines);
  const others = page.lines.filter((mark) => !records.has(mark));
  const made = await readByMark(query, model, others, both);
  keepAll(memory, made);
  for (const [mark, json] of made) records.set(mark, json);
  const found = page.lines.flatMap((mark) => records.get(mark) ?? []);
  return found.length === page.lines.length ? jsonOf(page, found) : undefined;
}

/** The records that the marks belong to, as far as they have not changed since. */
async function readByMark(
  query: Query,
  { table }: ReadModel,
  marks: readonly string[],
  shown: (binds: Binds) => Shown,
): Promise<MarkedJson[]> {
  if (marks.length === 0) return [];
  const binds = new Binds();
  const ids = `${binds.add(marks.map((mark) => Number.parseInt(mark, 10)))}::int[]`;
  const records = linesOf(table, `select * from ${table} where id = any(${ids})`, shown(binds));
  const [row] = await query(`select ${records} as records`, binds.values);
  return typeof row?.records === 'string' ? row.records.split('\n').map(parted) : [];
}

/** A line with a mark and JSON. */
function parted(line: string): MarkedJson {
  const at = line.indexOf(' ');
  return [line.slice(0, at), line.slice(at + 1)];
}

function memoryOf({ fields }: ReadModel): Memory {
  const known = memories.get(fields);
  const memory = known ?? { records: new Map(), characters: 0, regulars: new Set() };
  if (!known) memories.set(fields, memory);
  return memory;
}

/** The records that are known, and from now on whether the next page of the user is likely to be. */
function recall({ records, regulars }: Memory, { id }: User, marks: readonly string[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const mark of marks) {
    const json = records.get(mark);
    if (json === undefined) continue;
    known.set(mark, json);
    records.delete(mark);
    records.set(mark, json);
  }
  if (known.size * 2 < marks.length) regulars.delete(id);
  else if (marks.length > 0) regulars.add(id);
  if (regulars.size > maxRegulars) regulars.clear();
  return known;
}

function keepAll(memory: Memory, records: readonly MarkedJson[]): void {
  const characters = records.reduce((sum, [, { length }]) => sum + length, 0);
  if (characters > maxPageCharacters) return;
  for (const [mark, json] of records) keep(memory, mark, json);
}

function keep(memory: Memory, mark: string, json: string): void {
  const { records } = memory;
  if (records.has(mark)) return;
  // A copy: a part of a text would keep all of it.
  records.set(mark, Buffer.from(json).toString());
  memory.characters += json.length;
  for (const [oldest, { length }] of records) {
    if (memory.characters <= maxCharacters) break;
    records.delete(oldest);
    memory.characters -= length;
  }
}
