import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ActingClient } from '../acting-client.ts';
import { csvWriter } from '../csv/write-csv.ts';
import { type CustomColumn, customHeader } from '../custom-header.ts';
import type { Channel, Contact, Format } from '../format.ts';
import { ownContacts } from '../own-contacts.ts';
import { persistently } from '../persistently.ts';
import type { RunControl } from '../run-control.ts';
import { type ContactRow, cellsOf, columnOf, exportedFields, headersOf } from './contact-cells.ts';
import { openSpool } from './spool.ts';

/** Contacts to be written to a file whose columns depend on all of them. */
export interface ContactsExport {
  /** Reads the contacts of a user. Returns their number. */
  add(client: ActingClient, control: RunControl): Promise<number>;
  /** Writes all contacts as CSV and leaves the target open. */
  writeTo(target: Writable): Promise<void>;
  close(): Promise<void>;
}

/** An export of the contacts of one user or several; with several, the owner of each contact is a column. */
export async function openExport(
  of: 'one user' | 'several users',
  today: string,
  format: Format,
): Promise<ContactsExport> {
  const spool = await openSpool<ContactRow>();
  const columns = columnsOfAll();
  return {
    async add(client, control) {
      let rows = 0;
      async function* counted() {
        for await (const row of contactRows(client, format, control)) {
          columns.add(row.contact);
          rows++;
          yield row;
        }
      }
      await spool.add(counted());
      return rows;
    },
    async writeTo(target) {
      const layout = { owners: of === 'several users', ...columns.all() };
      async function* rows(): AsyncGenerator<readonly string[]> {
        yield headersOf(layout, format);
        for await (const row of spool.read()) yield cellsOf(row, layout, { format, today });
      }
      await pipeline(Readable.from(rows()), csvWriter(), target, { end: false });
    },
    close: spool.close,
  };
}

/** The columns that all contacts together need. */
function columnsOfAll() {
  let addresses = 0;
  const customFields: CustomColumn[] = [];
  return {
    add(contact: Contact) {
      addresses = Math.max(addresses, contact.addresses.length);
      const left = customFields.map(customHeader);
      for (const column of contact.custom_fields.map(columnOf)) {
        const index = left.indexOf(customHeader(column));
        if (index < 0) customFields.push(column);
        // Another field with the same name and type uses another column.
        else left.splice(index, 1);
      }
    },
    all: () => ({ addresses, customFields }),
  };
}

async function* contactRows(
  client: ActingClient,
  format: Format,
  { onProgress, throwIfStopped }: RunControl,
): AsyncGenerator<ContactRow> {
  let rows = 0;
  let total: number | undefined;
  const emailOf = emailsOf(client);
  for await (const page of ownContacts(client, { $select: exportedFields(format) }, persistently)) {
    throwIfStopped();
    total ??= page.total;
    const sharedWith = await sharesOf(client, page.data);
    const optedOut = await optOutsOf(client, page.data);
    await emailOf.load(
      page.data.flatMap(({ id, owner_user_id, assigned_user_id }) => [
        owner_user_id,
        assigned_user_id,
        ...sharedWith(id),
      ]),
    );
    for (const contact of page.data) {
      yield {
        contact,
        owner: emailOf.id(contact.owner_user_id),
        assignedTo: emailOf.id(contact.assigned_user_id),
        sharedWith: sharedWith(contact.id).map(emailOf.id).join(', '),
        optedOut: optedOut(contact.id),
      };
    }
    rows += page.data.length;
    onProgress(rows / Math.max(total, 1), rows);
  }
}

/** Returns a function that finds the users with whom a contact of the page is shared. */
async function sharesOf({ contacts }: ActingClient, page: readonly { readonly id: number }[]) {
  const contact_ids = page.map(({ id }) => id);
  const shares = await persistently(() => contacts.shares.ofContacts({ contact_ids }));
  const byContact = Map.groupBy(shares, ({ contact_id }) => contact_id);
  return (id: number): number[] => (byContact.get(id) ?? []).map(({ user_id }) => user_id);
}

/** Returns a function that finds the channels that a contact of the page has opted out of. */
async function optOutsOf({ contacts }: ActingClient, page: readonly { readonly id: number }[]) {
  const contact_ids = page.map(({ id }) => id);
  const found = await persistently(() => contacts.consents.optedOut({ contact_ids }));
  const byContact = new Map(found.map(({ contact_id, opted_out }) => [contact_id, opted_out]));
  return (id: number): readonly Channel[] => byContact.get(id) ?? [];
}

/** The e-mail addresses of people, with one request per person. */
function emailsOf(client: ActingClient) {
  const emails = new Map<number, string>();
  return {
    async load(ids: readonly (number | null)[]) {
      const unknown = [...new Set(ids)].filter((id) => id !== null && !emails.has(id)) as number[];
      if (unknown.length === 0) return;
      for (const { id, email } of await client.people(unknown)) emails.set(id, email);
    },
    id: (id: number | null) => (id === null ? '' : (emails.get(id) ?? `user ${id}`)),
  };
}
