import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { ImportView } from './import.api.ts';
import { StoredMapping } from './stored-mapping.ts';

const Upload = z.object({
  user_id: z.int(),
  type: ImportView.shape.type,
  name: z.string().nullable(),
  is_held: z.boolean(),
  mapping: StoredMapping,
  parts: z.int(),
  bytes: z.int(),
});
export type Upload = z.output<typeof Upload>;

/** An import whose file arrives, locked until the transaction ends; undefined if it no longer arrives. */
export function lockUpload(query: Query, importId: number): Promise<Upload | undefined> {
  return queryFirst(
    query,
    Upload,
    `select user_id, type, name, is_held, mapping, parts, bytes from imports
     where id = $1 and status = 'Uploading' for update`,
    [importId],
  );
}

/** Adds the next part of a file. */
export async function addPart(
  query: Query,
  importId: number,
  { index, start, text }: { readonly index: number; readonly start: number; readonly text: string },
): Promise<void> {
  await query(
    `with part as (
       insert into import_parts (import_id, index, start, text, hash)
       values ($1::int, $2::int, $3::int, $4::text, sha256(convert_to($4::text, 'UTF8'))))
     update imports set parts = parts + 1, bytes = bytes + octet_length($4::text), modified_at = now()
     where id = $1::int`,
    [importId, index, start, text],
  );
}

const Comparison = z.object({ outcome: z.enum(['same', 'different', 'missing']) });

/** How a part differs from the one that has arrived. It is missing if the import ended before the file had arrived. */
export async function comparePart(query: Query, importId: number, index: number, text: string) {
  const compared = await queryFirst(
    query,
    Comparison,
    `select case
         when part.hash = sha256(convert_to($3::text, 'UTF8')) then 'same'
         when part.hash is null and imports.hash is null then 'missing'
         else 'different' end as outcome
     from imports left join import_parts part on part.import_id = imports.id and part.index = $2::int
     where imports.id = $1::int`,
    [importId, index, text],
  );
  return compared?.outcome;
}

/** What a file is like, found out when it has arrived. */
export interface Arrived {
  readonly status: 'Mapping' | 'Waiting';
  readonly delimiter: string | null;
  readonly headers: readonly string[];
  readonly columns: readonly { readonly header: string; readonly field: string | null }[];
  /** Where its rows begin. */
  readonly position: number;
  readonly line: number;
}

/** Notes that a file has arrived. Its hash is that of the hashes of its parts, which are cut at the same places each time. */
export async function noteArrival(query: Query, importId: number, arrived: Arrived): Promise<void> {
  await query(
    `update imports set version = version + 1, status = $2, delimiter = $3, headers = $4,
       columns = $5, position = $6, line = $7, due_at = clock_timestamp(), modified_at = now(), hash = (
         select encode(sha256(coalesce(string_agg(hash, ''::bytea order by index), '')), 'hex')
         from import_parts where import_id = $1::int)
     where id = $1::int`,
    [
      importId,
      arrived.status,
      arrived.delimiter,
      arrived.headers,
      JSON.stringify(arrived.columns),
      arrived.position,
      arrived.line,
    ],
  );
}

const Part = z.object({ start: z.int(), text: z.string() });

/** The text of a file from an offset in bytes, part by part. */
export async function* textFrom(query: Query, importId: number, offset: number): AsyncGenerator<Buffer> {
  for (let from = offset; ; ) {
    const part = await queryFirst(
      query,
      Part,
      `select start, text from import_parts where import_id = $1::int and start <= $2::int
       order by start desc limit 1`,
      [importId, from],
    );
    const bytes = part && Buffer.from(part.text).subarray(from - part.start);
    if (!bytes || bytes.length === 0) return;
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
    from += bytes.length;
  }
}

/** Not much more than the rows of a portion, so that few rows are parsed again by the next portion. */
const sliceBytes = 8_192;
