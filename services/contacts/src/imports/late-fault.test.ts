import type { Query } from '@crm/data';
import { maxPortionAttempts } from '@crm/service';
import { afterAll, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';
import { contactsService } from '../index.ts';
import type { Procedures } from './acting-within.ts';
import { runDue } from './run-imports.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send, workerContext } = contacts;
const { database } = workerContext;

const withQuery = (query: Query) => ({ ...workerContext, database: { ...database, query } });

/** Another instance, which stops after one portion. */
async function onePortion() {
  const stopping = new AbortController();
  let looks = 0;
  const query: Query = (text, values) => {
    if (/ from imports .* limit /s.test(text) && ++looks > 1) stopping.abort();
    return database.query(text, values);
  };
  await runDue(withQuery(query), contactsService.procedures, stopping.signal);
}

/** The procedures, of which the one that adds rows has a fault once. */
function faultyOnce(): Procedures {
  const add = contactsService.procedures.get('importedRows.add');
  if (!add) throw new Error('There is no procedure that adds rows.');
  let isBroken = true;
  const act: typeof add.act = (...all) => {
    if (!isBroken) return add.act(...all);
    isBroken = false;
    throw new Error('A fault that comes once.');
  };
  return new Map(contactsService.procedures).set(add.name, { ...add, act });
}

it('a row is tried although the one before it has failed often, and an instance notes that late', async () => {
  const anna = await person();
  const id = await send(anna, csv(people(3)));
  await rows('update imports set attempts = $2 where id = $1', [id, maxPortionAttempts - 1]);
  const query: Query = async (text, values) => {
    if (text.startsWith('update imports set attempts')) await onePortion();
    return database.query(text, values);
  };
  await runDue(withQuery(query), faultyOnce(), new AbortController().signal);
  await rows('update imports set due_at = now() where id = $1', [id]);
  await run();
  const all = { status: 'Done', created: 3, failed: 0 };
  expect(await contacts.as(anna).imports.get({ id })).toMatchObject(all);
});
