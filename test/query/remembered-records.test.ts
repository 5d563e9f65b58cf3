import { findPage, readModel } from '@crm/data';
import { someone } from '@crm/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const client = new pg.Client({ connectionString: inject('postgresUrl') });
beforeAll(async () => {
  await client.connect();
  await client.query('create temporary table notes (id int primary key, content text, parts text[])');
});
afterAll(() => client.end());

const NoteView = z.object({ id: z.int(), content: z.string(), parts: z.array(z.string()) });
/** Each test has a memory of its own. */
const newModel = () =>
  readModel(NoteView, {
    table: 'notes',
    visible: () => ({}),
    nested: { parts: 'array_to_json(notes.parts)' },
    nestedFrom: () => ['notes.parts'],
  });

let made: number[] = [];
let statements = 0;
let betweenStatements = async (): Promise<unknown> => undefined;
const query = async (text: string, values: readonly unknown[]) => {
  statements += 1;
  const { rows } = await client.query(text, [...values]);
  const [row = {}] = rows;
  if (/to_json\(o\)/.test(text)) made.push(row.records?.split('\n').length ?? 0);
  await betweenStatements();
  return rows;
};

async function write(id: number, content: string, parts: readonly string[] = []) {
  await client.query(
    `insert into notes values ($1, $2, $3) on conflict (id) do update set content = $2, parts = $3`,
    [id, content, parts],
  );
}

interface Page {
  readonly total: number;
  readonly data: readonly z.output<typeof NoteView>[];
}

const reader = (model = newModel(), user = someone()) =>
  async function read(find: { readonly skip?: number; readonly select?: readonly string[] } = {}) {
    made = [];
    statements = 0;
    const asked = { where: [], sort: [], limit: 50, skip: 0, select: undefined, ...find };
    const page = JSON.parse((await findPage(query, model, user, asked)).text) as Page;
    return { page, made };
  };

beforeEach(async () => {
  betweenStatements = async () => undefined;
  await client.query('truncate notes');
  for (let id = 1; id <= 10; id++) await write(id, `Note ${id}`);
});

describe('the JSON of a record', () => {
  it('is made once, and again when the record has changed', async () => {
    const read = reader();
    const { page } = await read();
    expect((await read()).made).toEqual([10]);
    expect(await read()).toEqual({ page, made: [] });
    await write(3, 'Changed');
    await write(7, 'Note 7', ['a']);
    const changed = await read();
    expect(changed.made).toEqual([2]);
    expect(changed.page.data[2]?.content).toBe('Changed');
    expect(changed.page.data[6]?.parts).toEqual(['a']);
    expect(await read()).toEqual({ page: changed.page, made: [] });
  });

  it('of one page is that of one moment, even if a record changes or disappears meanwhile', async () => {
    const read = reader();
    for (let time = 1; time <= 3; time++) await read();
    const meanwhile: readonly (() => Promise<unknown>)[] = [
      () => write(3, 'Later'),
      () => client.query('delete from notes where id = 3'),
    ];
    for (const change of meanwhile) {
      await write(3, 'First');
      betweenStatements = async () => {
        betweenStatements = async () => undefined;
        await change();
      };
      const { page } = await read();
      const rows = await client.query('select id, content, parts from notes order by id');
      expect(page.data).toEqual(rows.rows);
      expect(page.total).toBe(rows.rows.length);
    }
  });

  it('is not kept of later pages, nor of a part of the fields', async () => {
    const read = reader();
    for (const find of [{ skip: 1 }, { select: ['id', 'content'] }]) {
      for (let time = 1; time <= 3; time++) expect((await read(find)).made).toEqual([find.skip ? 9 : 10]);
    }
  });

  it('is looked for with one statement as long as most of a page is not known', async () => {
    const read = reader();
    for (let round = 1; round <= 4; round++) {
      for (let id = 1; id <= 10; id++) await write(id, `${round} ${id}`);
      expect((await read()).made).toEqual([10]);
      expect(statements).toBe(1);
    }
  });

  it('is made again when texts are crafted to have the same hash, as they can be for those of PostgreSQL', async () => {
    const read = reader();
    const [text, crafted] = ['Call back on Monday', 'Do not call O097@P+J%S<2'];
    const { rows } = await client.query(
      'select hashtextextended($1, 0) = hashtextextended($2, 0) as are_equal',
      [text, crafted],
    );
    expect(rows).toEqual([{ are_equal: true }]);
    await write(3, text);
    for (let time = 1; time <= 3; time++) await read();
    await write(3, crafted);
    expect((await read()).page.data[2]?.content).toBe(crafted);
  });

  it('of other users is known as well', async () => {
    const model = newModel();
    const [first, second] = [reader(model), reader(model)];
    await first();
    expect((await second()).made).toEqual([10]);
    expect((await second()).made).toEqual([]);
  });

  it('is forgotten if it was not read for longest and there is too much of it', async () => {
    const read = reader();
    await client.query("update notes set content = repeat('é', 200000) || id");
    for (let time = 1; time <= 2; time++) expect((await read()).made).toEqual([10]);
    const rewritten = async (round: number) => {
      for (let id = 1; id <= 3; id++) await write(id, `${'e'.repeat(200_000)} ${round}`);
      return (await read()).made;
    };
    // All of these texts are more than is kept.
    for (let round = 1; round <= 30; round++) expect(await rewritten(round)).toEqual([3]);
    expect(await rewritten(29)).toEqual([]);
    expect(await rewritten(1)).toEqual([3]);
  });

  it('stays known when somebody else reads a page that is larger than all that is kept', async () => {
    const model = newModel();
    const [read, readLarge] = [reader(model), reader(model)];
    for (let time = 1; time <= 2; time++) await read();
    expect((await read()).made).toEqual([]);
    await client.query("update notes set content = repeat('e', 1700000) || id");
    await readLarge();
    for (let id = 1; id <= 10; id++) await write(id, `Note ${id}`);
    expect((await read()).made).toEqual([]);
  });

  it('is read where the database writes bytes in the other way', async () => {
    await client.query("set bytea_output = 'escape'");
    onTestFinished(async () => void (await client.query('reset bytea_output')));
    const read = reader();
    for (let id = 1; id <= 50; id++) await write(id, `Note ${id}`);
    expect((await read()).page.data).toHaveLength(50);
  });
});
