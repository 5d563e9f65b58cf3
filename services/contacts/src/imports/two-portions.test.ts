import { untilWaiting } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send, done } = contacts;

// Nobody publishes them here, and an import does not hurry while many wait.
beforeEach(() => rows('delete from outbox'));

await rows(
  `create function hold() returns trigger language plpgsql set lock_timeout = '10s' as $$ begin
     perform pg_advisory_xact_lock(substr(new.first_name, 6)::int); return new; end $$`,
);
await rows(
  `create trigger hold before insert on contacts
   for each row when (new.first_name in ('Anna 1500', 'Anna 2500')) execute function hold()`,
);

/** Imports a file whose second and third portion are held at a row each, until they are let go. */
async function held(...numbers: readonly number[]) {
  const anna = await person();
  const id = await send(anna, csv(people(3_100)));
  const holder = await contacts.database.pool.connect();
  const lock = (number: number) => holder.query('select pg_advisory_lock($1)', [number]);
  let left = numbers.length;
  const letGo = async (number: number) => {
    await holder.query('select pg_advisory_unlock($1)', [number]);
    if (--left === 0) holder.release();
  };
  for (const number of numbers) await lock(number);
  const running = run();
  await untilWaiting(
    rows,
    numbers.map(() => running),
  );
  const fail = (number: number) =>
    rows('select pg_cancel_backend(pid) from pg_locks where objid = $1::int and not granted', [number]);
  const noted = async () => (await rows('select rows, attempts from imports where id = $1', [id]))[0];
  const total = async () => (await contacts.as(anna).contacts.find({ $limit: 0 })).total;
  return { anna, id, running, letGo, fail, noted, total, api: contacts.as(anna).imports };
}

/** Until the first of two portions is committed, and noted. */
const first = (noted: () => Promise<unknown>) => expect.poll(noted).toMatchObject({ rows: 2_000 });

const waiting =
  "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";

const all = { status: 'Done', rows: 3_100, created: 3_100 };

describe('two portions at the same time', () => {
  it('are committed in the order of the file', async () => {
    const { running, letGo, noted, total, api, id } = await held(1_500, 2_500);
    await letGo(2_500);
    await expect.poll(() => rows(waiting)).toHaveLength(1);
    expect([await noted(), await total()]).toEqual([{ rows: 1_000, attempts: 0 }, 1_000]);
    await letGo(1_500);
    await running;
    expect([await api.get({ id }), await total()]).toMatchObject([all, 3_100]);
  });

  it('are both left undone if the first one fails', async () => {
    const { running, letGo, fail, noted, total, api, id } = await held(1_500, 2_500);
    await fail(1_500);
    await letGo(2_500);
    await letGo(1_500);
    await running;
    expect([await noted(), await total()]).toMatchObject([{ rows: 1_000 }, 1_000]);
    await rows('update imports set due_at = now() where id = $1', [id]);
    await run();
    expect([await api.get({ id }), await total()]).toMatchObject([all, 3_100]);
  });

  it('go on at once behind the first one if the second one fails', async () => {
    const { running, letGo, fail, noted, total, api, id } = await held(2_500);
    await first(noted);
    await fail(2_500);
    await letGo(2_500);
    await running;
    expect([await api.get({ id }), await total()]).toMatchObject([all, 3_100]);
  });

  it('end behind the first one if the import is canceled between them', async () => {
    const { running, letGo, noted, total, api, id } = await held(2_500);
    await first(noted);
    await api.patch({ id, status: 'Canceled' });
    await letGo(2_500);
    await running;
    expect([await api.get({ id }), await total()]).toMatchObject([
      { status: 'Canceled', rows: 2_000 },
      2_000,
    ]);
  });

  it('are left to the instance that has begun them', async () => {
    const { running, letGo, noted, total, api, id } = await held(2_500);
    await first(noted);
    await run();
    expect(await noted()).toEqual({ rows: 2_000, attempts: 0 });
    await letGo(2_500);
    await running;
    expect([await api.get({ id }), await total()]).toMatchObject([all, 3_100]);
  });

  it.each([
    [{}, { created: 3_080, skipped: 20 }],
    [{ match: 'email' }, { created: 3_090, skipped: 10 }],
    [{ duplicates: 'update' }, { created: 3_080, updated: 20 }],
    [{ duplicates: 'create' }, { created: 3_100 }],
  ] as const)('make one contact of each person who is in both: %j', async (options, expected) => {
    const anna = await person();
    const phone = (n: number) => `604 555 ${1_000 + n}`;
    const lines = Array.from({ length: 3_100 }, (_, n) => {
      const isAgain = n >= 2_000 && n < 2_020;
      const one = isAgain ? n - 1_000 : n;
      const email = isAgain && n < 2_010 ? `BEN${one}@example.com` : `ben${n}@example.com`;
      return `Ben ${one},${email},${n >= 1_010 && n < 1_020 ? phone(n) : ''}${isAgain && n >= 2_010 ? `+1${phone(one).replaceAll(' ', '')}` : ''}`;
    });
    const text = ['First Name,Email,Phone', ...lines].join('\n');
    expect(await done(anna, text, options)).toMatchObject({ status: 'Done', ...expected });
  });

  it('add a tag, a source and a hotness once that both name', async () => {
    const anna = await person();
    const lines = people(3_100).map((line, n) => `${line},${n < 1_000 ? ',,' : 'Late,Fair,Glowing'}`);
    const text = ['First Name,Email,Tags,Source,Hotness', ...lines].join('\n');
    expect(await done(anna, text, { create_missing: true })).toMatchObject(all);
    const api = contacts.as(anna);
    expect(await api.tags.find({ content: 'Late' })).toMatchObject({ total: 1 });
    const sources = await api.contactSources.find({ name: 'Fair' });
    const hotnesses = await api.hotnesses.find({ name: 'Glowing' });
    expect([sources, hotnesses]).toMatchObject([{ total: 1 }, { total: 1 }]);
    const named = { tags: 'Late', source_id: sources.data[0]?.id, hotness_id: hotnesses.data[0]?.id };
    expect(await api.contacts.find({ ...named, $limit: 0 })).toMatchObject({ total: 2_100 });
  });
});
