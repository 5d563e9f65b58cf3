import type { Query } from '@crm/data';

/** A row with the remarks about it. */
export interface RemarkedRow {
  readonly line: number;
  readonly is_error: boolean;
  readonly cells: readonly string[];
  readonly reason: string;
}

export async function noteRemarks(query: Query, importId: number, remarked: readonly RemarkedRow[]) {
  if (remarked.length === 0) return;
  await query(
    `insert into import_remarks (import_id, line, is_error, cells, reason)
     select $1::int, line, is_error, array(select jsonb_array_elements_text(cells)), reason
     from jsonb_to_recordset($2::jsonb) r (line int, is_error boolean, cells jsonb, reason text)`,
    [importId, JSON.stringify(remarked, storable)],
  );
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, which names of fields in lines of JSON may contain. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
