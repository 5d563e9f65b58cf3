import { afterAll, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';
import { refuseMany } from '../../test/refuse-many.ts';
import { clearImports } from './forget-imports.ts';
import { startImport } from './start-import.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send } = contacts;
const { query } = contacts.database;

const many = 12_000;

await refuseMany(rows, ['import_remarks', 'import_rehearsals']);

/** What a dry run of a large file has found. */
async function find(id: number): Promise<void> {
  await rows(
    `insert into import_remarks (import_id, line, is_error, cells, reason)
     select $1::int, 1000 + n, true, '{x}', 'is wrong' from generate_series(1, ${many}) n`,
    [id],
  );
  await rows(
    `insert into import_rehearsals (import_id, id, email)
     select $1::int, 1000 + n, format('found%s@example.com', n) from generate_series(1, ${many}) n`,
    [id],
  );
}

const left = async (id: number) => {
  const [counts] = await rows(
    `select (select count(*)::int from import_remarks where import_id = $1) as remarks,
       (select count(*)::int from import_rehearsals where import_id = $1) as rehearsals,
       (select count(*)::int from import_parts where import_id = $1 and text <> '') as parts`,
    [id],
  );
  return counts;
};

const confirmed = {
  mapping: {},
  duplicates: 'skip',
  create_missing: false,
  dry_run: false,
  tags: null,
} as const;

describe('what a large dry run has found', () => {
  it('is no longer shown when the import starts again, and is deleted before its first row', async () => {
    const anna = await person();
    const id = await send(anna, csv(people(3)));
    await rows("update imports set status = 'Mapping', is_held = true, rows = 3 where id = $1", [id]);
    await find(id);
    await startImport(query, id, anna.id, confirmed);
    expect((await contacts.errorsOf(anna, id)).trim().split('\n')).toHaveLength(1);
    await run();
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Done',
      created: 3,
      failed: 0,
    });
    expect(await left(id)).toMatchObject({ remarks: 0, rehearsals: 0 });
  });

  it('does not keep an import from being canceled, and its file is deleted', async () => {
    const anna = await person();
    const id = await send(anna, csv(people(3)));
    await find(id);
    await contacts.as(anna).imports.patch({ id, status: 'Canceled' });
    await clearImports(contacts.workerContext);
    expect(await left(id)).toEqual({ remarks: many, rehearsals: 0, parts: 0 });
  });
});

describe('an import that ended 30 days ago', () => {
  it('is deleted with its rows, however many', async () => {
    const anna = await person();
    const id = await contacts.send(anna, csv(people(3)));
    await run();
    await find(id);
    await rows("update imports set ended_at = now() - interval '31 days' where id = $1", [id]);
    await clearImports(contacts.workerContext);
    await expect(contacts.as(anna).imports.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await left(id)).toEqual({ remarks: 0, rehearsals: 0, parts: 0 });
  });
});
