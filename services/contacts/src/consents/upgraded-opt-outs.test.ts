import { databaseBefore } from '@crm/testing';
import { expect, it } from 'vitest';
import { contactsStore } from '../store.ts';

/** What an instance of the version before writes when an agent opts a contact out. */
const before = {
  add: 'insert into contacts (owner_user_id, email, created_at, modified_at) values ($1, $2, now(), now()) returning id',
  optOut: `insert into agent_consents (contact_id, channel, state, changed_at) values ($1, 'Email', 'Opted Out', now())`,
};

const change = '0460-no-empty-mailboxes';

it('an upgrade deletes the opt-outs of e-mails without an address, and keeps those of addresses and of contacts', async () => {
  const { client, upgrade } = await databaseBefore(contactsStore, change);
  const add = async (owner: number, email: string): Promise<number> =>
    (await client.query(before.add, [owner, email])).rows[0].id;
  const optOuts = async () =>
    (await client.query('select owner_user_id, destination from agent_opt_outs order by 1, 2')).rows;
  const optedOut = async () =>
    (await client.query("select contact_id from agent_consents where state = 'Opted Out' order by 1")).rows;
  const ids = [];
  for (const owner of [7, 8])
    for (const email of ['', ' ', '\u200b', 'Ada@example.com']) ids.push(await add(owner, email));
  for (const id of ids) await client.query(before.optOut, [id]);
  expect(await optOuts()).toHaveLength(ids.length);

  expect(await upgrade()).toContain(change);
  expect(await optOuts()).toEqual(
    [7, 8].map((owner) => ({ owner_user_id: owner, destination: 'ada@example.com' })),
  );
  expect(await optedOut()).toEqual(ids.map((id) => ({ contact_id: id })));
});
