import { type Contact, columnOf, exportedFields, type Layout } from '@crm/contacts-csv';
import { type FilePart, invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { z } from 'zod';
import { optOutsOf } from '../consents/consent.queries.ts';
import { conditionsOn, namedFilter, readFilter } from '../contacts/conditions-on.ts';
import { searchedContacts } from '../contacts/search.queries.ts';
import { contactsFormat } from '../contacts-format.ts';
import { CustomFieldView } from '../custom-fields/custom-field.api.ts';
import { optOutFlags } from '../imports/read-lines.ts';
import { csvOf } from './contacts-as-csv.ts';
import type { exportApi } from './export.api.ts';
import { Look, lookAtSome } from './look-at-contacts.ts';
import { type Conditions, contactsIn } from './part-of-contacts.ts';

/** The number of contacts in a part of a file. Only one part is in memory at a time. */
const partSize = 250;

/** Where the next part begins, and the columns that all parts have. */
const Cursor = z.object({
  after: z.int(),
  /** How many contacts can be read in time, according to the previous parts. */
  limit: z.int().min(1).max(partSize).optional(),
  /** Before the first part: what is known so far about the columns. */
  look: Look.optional(),
  layout: z
    .object({
      owners: z.boolean(),
      // Limited, because each address adds columns to every line, and a client can forge the cursor.
      addresses: Look.shape.addresses,
      customFields: z.array(z.object({ name: z.string(), dataType: CustomFieldView.shape.data_type })),
    })
    .optional(),
});

/**
 * A part of the file of the contacts that the caller sees. The columns of CSV depend on all of them, and the contacts are looked
 * at in parts before the first one is written: parts with no text.
 */
export function exportContacts(
  ctx: Context,
  { filter = {}, type = 'text/csv', cursor }: z.output<typeof exportApi.contacts.input>,
): Promise<z.output<typeof FilePart>> {
  const begun = cursor === undefined ? { after: 0 } : readCursor(cursor);
  return namedFilter(async () => {
    const { $search, ...asked } = readFilter(filter);
    const conditions = await conditionsOn(ctx, searchedContacts, asked);
    const isCsv = type === 'text/csv';
    const look = isCsv && !begun.layout ? await lookAtSome(ctx, conditions, begun.look) : undefined;
    if (look && !look.isLast) return { text: '', next: JSON.stringify({ after: 0, look }) };
    const { contacts, limit } = await partOf(ctx, conditions, { $search, begun, isCsv });
    const isLast = contacts.length < limit;
    const after = contacts.at(-1)?.id ?? begun.after;
    const place = { after, limit };
    if (!isCsv) return { text: await linesOf(ctx, contacts), next: isLast ? null : JSON.stringify(place) };
    const layout: Layout = begun.layout ?? {
      owners: look?.owners ?? false,
      addresses: look?.addresses ?? 0,
      customFields: contacts[0]?.custom_fields.map(columnOf) ?? [],
    };
    const text = await csvOf(ctx, contacts, { layout, isFirst: look !== undefined });
    return { text, next: isLast ? null : JSON.stringify({ ...place, layout }) };
  });
}

interface Part {
  readonly $search: readonly string[] | undefined;
  readonly begun: z.output<typeof Cursor>;
  readonly isCsv: boolean;
}

function partOf(ctx: Context, conditions: Conditions, { $search, begun, isCsv }: Part) {
  const { after, limit = partSize } = begun;
  const select = isCsv ? exportedFields(contactsFormat) : undefined;
  return contactsIn(ctx, conditions, { $search, after, limit, select });
}

function readCursor(cursor: string): z.output<typeof Cursor> {
  const read = Cursor.safeParse(readJson(cursor));
  if (!read.success) throw invalidField('cursor', 'must be "next" of the previous part');
  return read.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function linesOf(ctx: Context, contacts: readonly Contact[]): Promise<string> {
  const optedOut = await optOutsOf(
    ctx.query,
    ctx.user,
    contacts.map(({ id }) => id),
  );
  return contacts
    .map((contact) => `${JSON.stringify({ ...contact, ...optOutFlags(optedOut.get(contact.id) ?? []) })}\n`)
    .join('');
}
