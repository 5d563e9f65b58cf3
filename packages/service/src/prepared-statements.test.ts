import { openDatabase } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';

const fresh = await freshDatabase([notesService.store]);
const url = fresh.urls.notes ?? '';
afterAll(fresh.drop);

const numbered = (number: number) => `select $1::int as value, ${number} as number`;
const failing = 'select 1 / $1::int as value, 0 as number';

const { query, close } = await openDatabase({ url, store: notesService.store, poolSize: 1 });
afterAll(close);

const run = (text: string, value = 1) => query(text, [value]);

async function runAll(from: number, to: number) {
  for (let number = from; number < to; number++)
    expect(await run(numbered(number), number)).toEqual([{ value: number, number }]);
}

/** The statements of the connection that are prepared, and when that was. */
async function prepared() {
  const rows = await query('select statement, prepare_time::text from pg_prepared_statements', []);
  return new Map(rows.map(({ statement, prepare_time }) => [String(statement), prepare_time]));
}

describe('statements of a connection are prepared', () => {
  it('also when there were many before, of which those are closed that were not used for longest', async () => {
    await runAll(0, 2);
    const before = await prepared();
    expect(before.has(numbered(1))).toBe(true);
    for (let number = 2; number < 700; number++) {
      await runAll(number, number + 1);
      await runAll(1, 2);
    }
    const after = await prepared();
    expect(after.size).toBe(300);
    expect(after.has(numbered(0))).toBe(false);
    expect(after.get(numbered(1))).toBe(before.get(numbered(1)));
    expect(after.has(numbered(699))).toBe(true);
    await runAll(0, 2);
    expect((await prepared()).has(numbered(0))).toBe(true);
  });

  it('also when those that are closed have failed', async () => {
    await expect(run(failing, 0)).rejects.toThrow('division by zero');
    await expect(run('select $1::int as value from nowhere')).rejects.toThrow('does not exist');
    await runAll(1_000, 1_400);
    expect((await prepared()).size).toBe(300);
    expect(await run(failing)).toEqual([{ value: 1, number: 0 }]);
  });
});
