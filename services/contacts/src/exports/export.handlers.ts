import { wrong } from '@crm/contract';
import { type Context, findPage, implement } from '@crm/service';
import { z } from 'zod';
import { conditionsOn, namedFilter, readFilter } from '../contacts/conditions-on.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { type Contact, exportedFields, type Layout } from '../csv/export/contact-cells.ts';
import { csvOf, layoutOf } from './contacts-as-csv.ts';
import { exportApi } from './export.api.ts';

/** As many contacts as a part of a file has. Only one part is in memory. */
const partSize = 250;

/** Where the next part begins, and the columns that all parts have. */
const Cursor = z.object({
  after: z.int(),
  layout: z
    .object({
      owners: z.boolean(),
      addresses: z.int(),
      customFields: z.array(
        z.object({ name: z.string(), dataType: z.enum(['Text', 'Number', 'Date', 'Dollar Amt']) }),
      ),
    })
    .optional(),
});

export const exportHandlers = implement(exportApi, {
  contacts: (ctx, { filter = {}, type = 'text/csv', cursor }) =>
    namedFilter(async () => {
      const { $search, ...asked } = readFilter(filter);
      if ($search !== undefined) throw wrong('$search', 'is not supported by exports');
      const begun = cursor === undefined ? { after: 0 } : Cursor.parse(JSON.parse(cursor));
      const where = [...asked.where, { field: 'id', op: '$gt', value: begun.after } as const];
      const conditions = await conditionsOn(ctx, contactRows, { ...asked, where });
      const isCsv = type === 'text/csv';
      const contacts = await contactsIn(ctx, conditions, isCsv ? exportedFields : undefined);
      const isLast = contacts.length < partSize;
      const after = contacts.at(-1)?.id ?? begun.after;
      if (!isCsv) return { text: linesOf(contacts), next: isLast ? null : JSON.stringify({ after }) };
      const layout: Layout = begun.layout ?? (await layoutOf(ctx, conditions, contacts));
      const text = await csvOf(ctx, contacts, { layout, isFirst: cursor === undefined });
      return { text, next: isLast ? null : JSON.stringify({ after, layout }) };
    }),
});

type Conditions = Awaited<ReturnType<typeof conditionsOn<typeof contactRows>>>;

async function contactsIn(ctx: Context, { model, where }: Conditions, select: readonly string[] | undefined) {
  const find = { where, sort: [['id', 1]] as const, limit: partSize, skip: 0, select };
  const { text } = await findPage(ctx, model, find);
  return (JSON.parse(text) as { readonly data: readonly Contact[] }).data;
}

const linesOf = (contacts: readonly Contact[]) =>
  contacts.map((contact) => `${JSON.stringify(contact)}\n`).join('');
