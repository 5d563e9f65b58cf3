import { type Contact, exportedFields, type Layout } from '@crm/contacts-csv';
import { type FilePart, wrong } from '@crm/contract';
import { cursorOf } from '@crm/data';
import { type Context, findOrSearch } from '@crm/service';
import { z } from 'zod';
import { conditionsOn, namedFilter, readFilter } from '../contacts/conditions-on.ts';
import { searchedContacts } from '../contacts/search.queries.ts';
import { contactsFormat } from '../contacts-format.ts';
import { csvOf, layoutOf } from './contacts-as-csv.ts';
import type { exportApi } from './export.api.ts';

/** As many contacts as a part of a file has. Only one part is in memory. */
const partSize = 250;

/** Where the next part begins, and the columns that all parts have. */
const Cursor = z.object({
  after: z.int(),
  /** Of a search: whether words that differ in one letter count, which the first part decides. */
  similar: z.boolean().optional(),
  layout: z
    .object({
      owners: z.boolean(),
      // Each is some columns of each line. Nobody has as many, but a client may have made the cursor.
      addresses: z.int().min(0).max(1_000),
      customFields: z.array(
        z.object({ name: z.string(), dataType: z.enum(['Text', 'Number', 'Date', 'Dollar Amt']) }),
      ),
    })
    .optional(),
});

/** A part of the file of the contacts that the caller sees. */
export function exportContacts(
  ctx: Context,
  { filter = {}, type = 'text/csv', cursor }: z.output<typeof exportApi.contacts.input>,
): Promise<z.output<typeof FilePart>> {
  const begun = cursor === undefined ? { after: 0 } : readCursor(cursor);
  return namedFilter(async () => {
    const { $search, ...asked } = readFilter(filter);
    const conditions = await conditionsOn(ctx, searchedContacts, asked);
    const isCsv = type === 'text/csv';
    const find = (similar: boolean) =>
      contactsIn(ctx, conditions, {
        $search,
        similar,
        after: begun.after,
        select: isCsv ? exportedFields(contactsFormat) : undefined,
      });
    const exact = await find(begun.similar ?? false);
    const similar = begun.similar || (cursor === undefined && $search !== undefined && exact.length === 0);
    const contacts = similar && !begun.similar ? await find(true) : exact;
    const isLast = contacts.length < partSize;
    const after = contacts.at(-1)?.id ?? begun.after;
    if (!isCsv) return { text: linesOf(contacts), next: isLast ? null : JSON.stringify({ after, similar }) };
    const layout: Layout = begun.layout ?? (await layoutOf(ctx, conditions, contacts));
    const text = await csvOf(ctx, contacts, { layout, isFirst: cursor === undefined });
    return { text, next: isLast ? null : JSON.stringify({ after, similar, layout }) };
  });
}

function readCursor(cursor: string): z.output<typeof Cursor> {
  const read = Cursor.safeParse(readJson(cursor));
  if (!read.success) throw wrong('cursor', 'must be "next" of the part before');
  return read.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Conditions = Awaited<ReturnType<typeof conditionsOn<typeof searchedContacts>>>;

interface Wanted {
  readonly $search: readonly string[] | undefined;
  readonly similar: boolean;
  /** The id of the last contact of the part before. */
  readonly after: number;
  readonly select: readonly string[] | undefined;
}

const byId = [{ name: 'id', kind: 'integer', direction: 1 }] as const;

/** The contacts of a part. With a cursor, even for the first part, nobody counts the others. */
async function contactsIn(
  ctx: Context,
  { model, where }: Conditions,
  { $search, similar, after, select }: Wanted,
) {
  const position = cursorOf({ list: model.table, keys: byId }, { place: [`${after}`], total: 0 });
  const find = {
    where,
    sort: [['id', 1]] as const,
    limit: partSize,
    skip: 0,
    after: position,
    select,
    $search,
  };
  const { text } = await findOrSearch(ctx, model, find, { similar });
  return (JSON.parse(text) as { readonly data: readonly Contact[] }).data;
}

const linesOf = (contacts: readonly Contact[]) =>
  contacts.map((contact) => `${JSON.stringify(contact)}\n`).join('');
