import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ActingClient } from '../acting-client.ts';
import { csvWriter } from '../csv/write-csv.ts';
import { ownContacts } from '../own-contacts.ts';
import { persistently } from '../persistently.ts';
import type { RunControl } from '../run-control.ts';
import { cellsOf, exportedFields, exportHeaders } from './contact-cells.ts';

/** Writes the contacts of a user as CSV and leaves the target open. Returns the number of contacts. */
export async function exportContacts(
  client: ActingClient,
  target: Writable,
  { headers }: { readonly headers: boolean },
  { onProgress, throwIfStopped }: RunControl,
): Promise<number> {
  let rows = 0;
  async function* cells(): AsyncGenerator<readonly string[]> {
    if (headers) yield exportHeaders;
    let total: number | undefined;
    for await (const page of ownContacts(client, { $select: exportedFields }, persistently)) {
      throwIfStopped();
      total ??= page.total;
      for (const contact of page.data) yield cellsOf(contact);
      rows += page.data.length;
      onProgress(rows / Math.max(total, 1), rows);
    }
  }
  await pipeline(Readable.from(cells()), csvWriter(), target, { end: false });
  return rows;
}
