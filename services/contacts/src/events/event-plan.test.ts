import { findPage, getRecord, type Query } from '@crm/data';
import { keepPartitions } from '@crm/messaging';
import { type PlanNode, planNodes, someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { eventApi } from './event.api.ts';
import { eventListWith, eventRowsWith } from './event.queries.ts';
import { eventPartitions } from './event-partitions.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const [few, mate] = [998, 999];

beforeAll(async () => {
  // Another file may have used the database before, and its ids.
  await contacts.rows("select setval('events_id_seq', 1, false), setval('contacts_id_seq', 1, false)");
  // The contact events of the last users are at the end of the table, after those of everyone else.
  await contacts.rows(
    `insert into contacts (owner_user_id, created_at, modified_at)
     select case when i <= 3960 then 1 + i % 40 else 998 + i % 2 end, now(), now() from generate_series(1, 4000) i`,
  );
  const record = (after: number) =>
    contacts.rows(
      `insert into events (user_id, contact_id, source, type, created_at, modified_at)
       select owner_user_id, id, 'api', 'call', now() - n * interval '1 hour', now() - n * interval '1 minute'
       from contacts, generate_series(1, 10) n where id > $1 and id <= $1 + 1000 order by id`,
      [after],
    );
  for (const after of [0, 1000]) await record(after);
  await keepPartitions(contacts.database.ownConnection(), [{ ...eventPartitions, ids: 21_500 }]);
  for (const after of [2000, 3000]) await record(after);
  await contacts.rows('analyze contacts, events');
});

const isOfEvents = (node: PlanNode) => /^events_\d+$/.test(String(node['Relation Name']));

/** Collects the nodes of the plans of statements, instead of running these. */
const explained =
  (nodes: PlanNode[]): Query =>
  async (text) => {
    nodes.push(...(await planNodes(contacts.rows, text)));
    return [{ total: 0, records: null }];
  };

/** The nodes of a list's plan. */
async function planOf(
  id: number,
  find: object,
  teams: boolean,
  mates: readonly number[] = teams ? [mate] : [],
): Promise<PlanNode[]> {
  const nodes: PlanNode[] = [];
  const query = eventApi.find.input.parse(find);
  await findPage(
    explained(nodes),
    eventListWith(teams, query.where),
    someone({ id, sharing_teammate_ids: mates }),
    query,
  );
  return nodes;
}

/** Who asks for contact events, and whether for those of the team as well. */
const views = [
  { teams: false, mates: [] },
  { teams: true, mates: [mate] },
  { teams: false, mates: [mate] },
];

const indexesOfContacts = (nodes: readonly PlanNode[]) =>
  new Set(nodes.map((node) => node['Index Name']).filter((name) => /^contacts_/.test(String(name))));

/** The scans of contact events in a list's plan that are not limited by an index condition. */
async function fullScansOf(id: number, find: object, teams: boolean): Promise<string[]> {
  const nodes = await planOf(id, find, teams);
  const events = nodes.filter((node) => isOfEvents(node) && !node['Index Cond']);
  return events.map((node) => String(node['Node Type'])).filter((type) => type !== 'Bitmap Heap Scan');
}

describe('a list of contact events', () => {
  it.each([
    ['in the default order', {}],
    ['the latest first', { $sort: { id: -1 } }],
    ['by a field without an index', { type: 'visit' }],
    ['of one contact', { contact_id: 4000 }],
  ])('reads no contact events of strangers, %s', async (_, find) => {
    for (const id of [few, 100_000]) {
      expect(await fullScansOf(id, find, false)).toEqual([]);
      expect(await fullScansOf(id, find, true)).toEqual([]);
    }
  });

  it.each([
    ['in the default order', {}, 'events_0_owner'],
    ['the latest first', { $sort: { id: -1 } }, 'events_0_owner'],
    ['by when they happened', { $sort: { created_at: -1 } }, 'events_0_owner_created'],
    ['by their last change', { $sort: { modified_at: -1 } }, 'events_0_owner_modified'],
    ['behind a cursor', { $after: '', $sort: { id: -1 } }, 'events_0_owner'],
  ])('looks up no contact of an owner, nor all of the owner for a page, %s', async (_, find, index) => {
    for (const teams of [false, true]) {
      const nodes = await planOf(few, find, teams);
      const used = nodes.map((node) => String(node['Index Name']));
      expect(used.filter((name) => /^contacts_owner/.test(name))).toEqual([]);
      expect(used).toContain(index);
      expect(nodes.filter((node) => node['Node Type'] === 'Limit').length).toBeGreaterThan(1);
    }
  });

  it.each([
    ['in the default order', {}],
    ['behind a cursor', { $after: '', $sort: { id: -1 } }],
    ['by a field without an index', { type: 'visit' }],
  ])('without those of the team reads none of them, except what the user recorded, %s', async (_, find) => {
    const nodes = await planOf(few, find, false, [mate]);
    const filters = nodes.filter(isOfEvents).map((node) => String(node.Filter));
    expect(filters.filter((filter) => /\buser_id = /.test(filter))).toEqual([]);
    const conditions = nodes.map((node) => String(node['Index Cond']));
    expect(conditions.filter((condition) => /\buser_id = .*\bowner_user_id = /.test(condition))).not.toEqual(
      [],
    );
  });

  it('of one contact reads the newest partition first, and sorts no events', async () => {
    const nodes = await planOf(few, { contact_id: 4000, $sort: { id: -1 } }, false);
    expect(nodes.filter((node) => /Sort|Merge/.test(String(node['Node Type'])))).toEqual([]);
    const scans = nodes.filter((node) => isOfEvents(node) && node['Node Type'] === 'Index Scan');
    expect(scans.map((node) => node['Relation Name'])).toEqual(['events_21500', 'events_0']);
  });

  it.each(views)('of one contact reads no other contact, %o', async ({ teams, mates }) => {
    const nodes = await planOf(few, { contact_id: 4000 }, teams, mates);
    expect(indexesOfContacts(nodes)).toEqual(new Set(['contacts_pkey']));
  });

  it.each(views)(
    'of one contact looks it up once, however many events it has, %o',
    async ({ teams, mates }) => {
      const nodes = await planOf(few, { contact_id: 4000 }, teams, mates);
      const lookups = nodes.filter((node) => node['Index Name'] === 'contacts_pkey');
      expect(lookups.map((node) => String(node['Index Cond']))).toEqual(
        lookups.map(() => expect.stringMatching(/^\(id = \$\d+\)$/)),
      );
    },
  );
});

describe('a contact event', () => {
  it.each(views)('is read with its contact and no other, %o', async ({ teams, mates }) => {
    const actor = someone({ id: few, sharing_teammate_ids: mates });
    const nodes: PlanNode[] = [];
    await getRecord(explained(nodes), eventRowsWith(teams), actor, 1);
    expect(indexesOfContacts(nodes)).toEqual(new Set(['contacts_pkey']));
  });
});
