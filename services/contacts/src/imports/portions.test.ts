import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';
import { contactsService } from '../index.ts';
import { actorNow } from '../on-behalf/actor-now.ts';
import { forgetSomeFindings } from './forgotten-import.queries.ts';
import { csvType, linesType } from './import.api.ts';
import { importPortions } from './import-portion.ts';
import { dueImports } from './portion.queries.ts';
import { type Ahead, portionsAhead } from './read-ahead.ts';
import { sizeOf } from './read-portion.ts';
import { importsWorker, runDue } from './run-imports.ts';
import { startImport } from './start-import.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, send, done, errorsOf } = contacts;

/** Imports the next portion as an instance does that has read some rows ahead. */
async function importNext(ahead: Ahead, procedures = contactsService.procedures) {
  const [due] = await dueImports(contacts.database.query, 1);
  const actor = due && (await actorNow(contacts.workerContext, due));
  if (!actor) throw new Error('No import is due.');
  const context = { ...contacts.workerContext, procedures, ahead };
  expect(
    await importPortions(
      { context, due: { ...due, size: sizeOf(due) }, actor, people: [], dateOrders: undefined },
      false,
    ),
  ).toBe(true);
}

describe('a portion that was read while the one before was written', () => {
  it('is read again if a name in it means something else by then', async () => {
    const anna = await person();
    const { id } = await contacts.as(anna).hotnesses.create({ name: 'Glowing' });
    const lines = people(1_200).map((line) => `${line},Glowing`);
    const text = ['First Name,Email,Hotness', ...lines].join('\n');
    // In the transaction of the first portion, when the next one has been read.
    await rows(
      `create function rename() returns trigger language plpgsql as $$ begin
         perform pg_sleep(1); update hotnesses set name = 'Cold' where id = ${id}; return null; end $$`,
    );
    await rows(
      'create trigger rename after update on imports for each row when (old.rows = 0 and new.rows = 1000) execute function rename()',
    );
    const one = await done(anna, text, {});
    await rows('drop trigger rename on imports');
    expect(one).toMatchObject({ status: 'Done', created: 1_000, failed: 200 });
    expect(await errorsOf(anna, one.id)).toMatch(/Anna 1000,.*refers to a hotness that does not exist/);
  });

  it.each([
    [csvType, { tags: 'Spring', create_missing: false }],
    [csvType, { tags: null, create_missing: true }],
    [linesType, { tags: 'Spring', create_missing: false }],
  ] as const)(
    'is read again if the import of %s was started with other options by then: %j',
    async (type, options) => {
      const anna = await person();
      const names = Array.from({ length: 1_100 }, (_, n) => `Anna ${n}`);
      const lines =
        type === linesType
          ? names.map((first_name) => JSON.stringify({ first_name }))
          : [
              'First Name,Hotness',
              ...names.map((name, n) => `${name},${n >= 1_000 && options.create_missing ? 'Hot' : ''}`),
            ];
      const id = await send(anna, lines.join('\n'), { type, dry_run: true });
      await rows('update imports set is_held = true where id = $1', [id]);
      const [first, second] = [portionsAhead(), portionsAhead()];
      await importNext(first);
      await importNext(second);
      const confirmed = { mapping: {}, duplicates: 'skip', dry_run: false, ...options } as const;
      await startImport(contacts.database.query, id, anna.id, confirmed);
      await emFor(contacts.database.orm, system).transactional((em) => forgetSomeFindings(queryIn(em), id));
      await importNext(first);
      await importNext(first);
      expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ status: 'Done', created: 1_100 });
      const tagged = await contacts.as(anna).contacts.find({ tags: options.tags, $limit: 0 });
      expect(tagged.total).toBe(1_100);
    },
  );

  it('is forgotten unless it begins where the one before ended, and is one of few', async () => {
    const ahead = portionsAhead();
    const portion = { rows: [], next: { offset: 9, line: 2 }, isLast: false, broken: null };
    let begun = 0;
    const read = async () => {
      begun++;
      return portion;
    };
    for (let id = 1; id <= 20; id++) ahead.begin(id, 5, read);
    expect(begun).toBe(4);
    expect([ahead.take(1, 6), ahead.take(1, 5), ahead.take(5, 5)]).toEqual([undefined, undefined, undefined]);
    expect(await ahead.take(2, 5)).toBe(portion);
    expect(ahead.take(2, 5)).toBeUndefined();
    ahead.begin(7, 5, read);
    expect(await ahead.take(7, 5)).toBe(portion);
  });
});

describe('an import', () => {
  it('leaves the broker time for the events of others, and goes on without it', async () => {
    const anna = await person();
    await rows(`insert into outbox (event_id, subject, payload)
      select gen_random_uuid(), 'crm.contacts.contact.created', '{}' from generate_series(1, 6000)`);
    const id = await send(anna, csv(people(3)));
    const { workerContext: context, database } = contacts;
    let looks = 0;
    const query: typeof database.query = (text, ...more) => {
      if (text.includes('from outbox')) looks++;
      return database.query(text, ...more);
    };
    const watched = { ...context, database: { ...database, query } };
    await runDue(watched, contactsService.procedures, new AbortController().signal);
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ status: 'Done', created: 3 });
    expect(looks).toBeGreaterThan(1);
    await rows("delete from outbox where payload = '{}'");
  });

  it('goes on at once although a clock that was ahead has postponed it for hours', async () => {
    const anna = await person();
    const id = await send(anna, csv(people(3)));
    await rows("update imports set attempts = 1, due_at = now() + interval '5 hours' where id = $1", [id]);
    await contacts.run();
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ status: 'Done', created: 3 });
  });
});

describe('a portion of an import that lasts longer than a transaction may', () => {
  it('is cut in half until it does not, and no row of it counts as failed', async () => {
    const anna = await person();
    await rows(`create function be_slow() returns trigger language plpgsql as $$ begin
      if current_setting('crm.is_limited', true) is distinct from 'yes' then
        perform set_config('transaction_timeout', '0', true);
        perform set_config('transaction_timeout', '400ms', true);
        perform set_config('crm.is_limited', 'yes', true);
      end if;
      perform pg_sleep((select count(*) * 0.001 from added)); return null; end $$`);
    await rows(
      'create trigger be_slow after insert on contacts referencing new table as added for each statement execute function be_slow()',
    );
    const worker = await importsWorker(contactsService.procedures)(contacts.workerContext);
    const id = await send(anna, csv(people(500)));
    const ended = async () => {
      // It need not rest between two attempts.
      await rows('update imports set due_at = now() where id = $1', [id]);
      return (await contacts.as(anna).imports.get({ id })).status;
    };
    await expect.poll(ended).toBe('Done');
    await worker.stop();
    await rows('drop trigger be_slow on contacts');
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ created: 500, failed: 0 });
  });
});

describe('a portion of an import that updates contacts', () => {
  const updated = async (count: number) => {
    const anna = await person();
    const lines = (city: string) =>
      Array.from({ length: count }, (_, n) =>
        JSON.stringify({ email: `anna${n}@example.com`, addresses: [{ type: 'Home', city }] }),
      ).join('\n');
    await done(anna, lines('Oslo'), { type: linesType });
    const id = await send(anna, lines('Bergen'), { type: linesType, duplicates: 'update' });
    return () => contacts.as(anna).imports.get({ id });
  };

  it('has at most 200 rows, so that it is done within the time of a transaction', async () => {
    const now = await updated(201);
    await importNext(portionsAhead());
    expect(await now()).toMatchObject({ rows: 200, updated: 200 });
    await importNext(portionsAhead());
    expect(await now()).toMatchObject({ status: 'Done', updated: 201 });
  });

  it('compares for each row what this row changes, and not what the rows before have changed', async () => {
    const now = await updated(3);
    const known: number[] = [];
    const noting = new Map(contactsService.procedures);
    const patch = noting.get('contacts.patch');
    if (!patch) throw new Error('There is no such procedure.');
    const act: typeof patch.act = (ctx, input) => {
      known.push(ctx.em.getUnitOfWork().getIdentityMap().keys().length);
      return patch.act(ctx, input);
    };
    noting.set('contacts.patch', { ...patch, act });
    await importNext(portionsAhead(), noting);
    expect(await now()).toMatchObject({ status: 'Done', updated: 3 });
    expect(known).toEqual([0, 0, 0]);
  });
});
