import { cursorOf, findPage, type Query, searchPage } from '@crm/data';
import { type PlanNode, planNodes, someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { columnOfValues } from '../custom-fields/custom-field.queries.ts';
import { contactApi } from './contact.api.ts';
import { searchedContacts } from './search.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const mates = [1, 2, 3];
const office = Array.from({ length: 40 }, (_, index) => index + 1);
const columns = { ...searchedContacts.columns, 'custom_fields.7': columnOfValues('7', 'Number') };
const model = { ...searchedContacts, columns };

beforeAll(async () => {
  await contacts.rows(
    `insert into hotnesses (id, user_id, name) select i, 999, 'H' || i from generate_series(1, 5) i`,
  );
  await contacts.rows(`insert into contact_sources (id, user_id, name, created_at, modified_at)
    select i, 999, 'S' || i, now(), now() from generate_series(1, 5) i`);
  // The contacts of the last user are at the end of the table, after those of everyone else. In portions, because a
  // statement has five seconds.
  for (let from = 1; from <= 40_000; from += 5_000)
    await contacts.rows(
      `insert into contacts (owner_user_id, assigned_user_id, first_name, last_name, email, created_at, modified_at, last_activity_at,
         hotness_id, source_id)
       select case when i <= 39000 then 1 + i % 50 else 999 end, case when i % 10 = 0 then 1 + i % 50 end,
         'F' || i, 'L' || i % 100, 'p' || i || '@example.com', now(), now(),
         case when i % 3 = 0 then now() end, case when i % 6 > 0 then i % 6 end, case when i / 6 % 6 > 0 then i / 6 % 6 end
       from generate_series($1::int, $1::int + 4999) i`,
      [from],
    );
  await contacts.rows(`insert into tags (id, user_id, content)
    select i, case when i <= 1000 then 1 + i % 50 else 999 end, 'T' || i from generate_series(1, 1020) i`);
  // Other files may have used the first ids.
  const [{ first } = { first: 1 }] = await contacts.rows('select min(id) as first from contacts');
  for (let from = 1; from <= 40_000; from += 5_000)
    await contacts.rows(
      `insert into contact_tags (contact_id, position, tag_id, lead)
       select $2::int - 1 + i, position,
         case when i <= 39000 then i % 50 + 50 * (i % 10 + position) else 1000 + i % 10 + position end, ', '
       from generate_series($1::int, $1::int + 4999, 4) i, generate_series(1, 2) position`,
      [from, first],
    );
  await contacts.rows('analyze contacts, tags, contact_tags');
});

/** A place in an order of contacts, as a client has it from the page before. */
function cursorAt(field: string, direction: number, value: string | null): string {
  const key = (name: string, direction: number) =>
    ({ name, direction: direction === 1 ? 1 : -1, kind: 'text' }) as const;
  const keys = field === 'id' ? [key(field, direction)] : [key(field, direction), key('id', direction)];
  return cursorOf({ list: 'contacts', keys }, { place: field === 'id' ? [value] : [value, '7'], total: 1 });
}

/** The nodes of a list's plan, if its statements count so many. */
async function nodesOf(find: object, sharing: readonly number[], total = 0): Promise<PlanNode[]> {
  const actor = someone({ id: 999, teammate_ids: sharing, sharing_teammate_ids: sharing });
  const nodes: PlanNode[] = [];
  const query: Query = async (text) => {
    nodes.push(...(await planNodes(contacts.rows, text)));
    return [{ total, records: null, last: null }];
  };
  const { $search, ...input } = contactApi.find.input.parse(find);
  if ($search) await searchPage(query, model, actor, input, $search);
  else await findPage(query, model, actor, input);
  return nodes;
}

/** The scans of contacts in a plan that are not limited by an index condition. */
async function fullScansOf(find: object, sharing: readonly number[]) {
  const isFull = (node: PlanNode) =>
    node['Node Type'] === 'Seq Scan' || (/^Index/.test(String(node['Node Type'])) && !node['Index Cond']);
  const scans = (await nodesOf(find, sharing)).filter(
    (node) => /^(contacts|custom_field_values)$/.test(String(node['Relation Name'])) && isFull(node),
  );
  return scans.map((node) => `${node['Node Type']} ${node['Index Name']}`);
}

/** The scans of contacts behind a place in both directions, for a user alone and for one of a team. */
async function walksBy(field: string, value: string | null) {
  const walks = [1, -1].flatMap((direction) =>
    [[], mates].map((sharing) => ({ direction, sharing }) as const),
  );
  return Promise.all(
    walks.map(async ({ direction, sharing }) => {
      const find = { $sort: { [field]: direction }, $after: cursorAt(field, direction, value) };
      const nodes = await nodesOf(find, sharing);
      return { nodes, scans: nodes.filter((node) => node['Relation Name'] === 'contacts') };
    }),
  );
}

/** The indexes whose order is not yet that of the list. */
const sortedIndexes = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => /Sort$/.test(String(node['Node Type'])))
    .flatMap(({ Plans = [] }) => Plans.map((node) => node['Index Name']));

const scansIn = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => node['Relation Name'] === 'contacts')
    .map((node) => [node['Node Type'], node['Index Name']]);

/**
 * Lets PostgreSQL know which pages are visible to all: those whose writes are on the disk, for which commits do not
 * wait here.
 */
async function vacuumed() {
  await contacts.rows(`select pg_logical_emit_message(false, 'test', '', true)`);
  await contacts.rows('vacuum analyze contacts');
}

describe('a list of contacts', () => {
  it.each([
    ['in the default order', {}],
    ['by e-mail address', { email: 'p39500@example.com' }],
    ['by phone number', { mobile_phone: '604-555-4572' }],
    ['by a field without an index', { last_name: 'L7' }],
    ['newest first', { $sort: { created_at: -1 } }],
    ['last changed first', { $sort: { modified_at: -1 } }],
    ['last active first', { $sort: { last_activity_at: -1 } }],
    ['by a custom field', { 'custom_fields.7': '7' }],
    ['on a later page', { $skip: 500 }],
    ['with a search', { $search: 'ann 604-555-4572' }],
    ['with a search and an order', { $search: 'smith', $sort: { created_at: -1 } }],
  ])('%s never scans the contacts of others', async (_, find) => {
    expect(await fullScansOf(find, [])).toEqual([]);
    expect(await fullScansOf(find, mates)).toEqual([]);
  });

  it.each([
    ['modified_at', 'owner_modified'],
    ['modified_at', 'assignee_modified'],
    ['created_at', 'owner_created'],
    ['created_at', 'assignee_created'],
    ['last_activity_at', 'owner_activity'],
  ])('by %s is read along the index %s of that order, with nothing to sort', async (field, index) => {
    for (const direction of [1, -1]) {
      for (const sharing of [[], mates, office]) {
        const nodes = await nodesOf({ $sort: { [field]: direction } }, sharing);
        expect(nodes.map((node) => node['Index Name'])).toContain(`contacts_${index}`);
        expect(sortedIndexes(nodes)).not.toContain(`contacts_${index}`);
      }
    }
  });

  it('with conditions reads what matches once, for the total and the page, and only the page in full', async () => {
    const find = { last_name: 'L7', company: 'Coast', $sort: { modified_at: -1 } };
    const matches = ['Bitmap Heap Scan', undefined];
    const page = ['Index Scan', 'contacts_pkey'];
    for (const sharing of [mates, office])
      expect(scansIn(await nodesOf(find, sharing))).toEqual([matches, page]);
    // The own ones, the assigned ones, and the shared ones.
    expect(scansIn(await nodesOf(find, []))).toEqual([matches, matches, matches, page]);
  });

  it.each([{}, { hotness_id: 3 }, { $search: 'smith' }, { $after: '' }])(
    'that skips records leaves them out before it reads others in full, %o',
    async (find) => {
      const reads = (node: PlanNode): boolean =>
        node['Index Name'] === 'contacts_pkey' || (node.Plans ?? []).some(reads);
      const nodes = await nodesOf({ ...find, $skip: 100 }, mates);
      expect(nodes.some(reads)).toBe(true);
      expect(nodes.filter((node) => node['Node Type'] === 'Limit' && reads(node))).toEqual([]);
    },
  );

  it.each([
    { hotness_id: 3 },
    { assigned_user_id: 5 },
    { tags: 'x' },
    { assigned_user_id: 5, $after: cursorAt('id', 1, '7') },
    { $or: [{ hotness_id: 3 }, { source_id: 3 }], $after: cursorAt('id', 1, '7') },
    {
      hotness_id: 3,
      $sort: { modified_at: -1 },
      $after: cursorAt('modified_at', -1, '2026-01-02T03:04:05.678901Z'),
    },
  ])('with conditions that very many meet is read once, and not once for each owner, %o', async (find) => {
    const nodes = await nodesOf(find, office, 60_000);
    expect(nodes.filter((node) => node.Alias === 'owners')).toEqual([]);
  });

  it.each([{ company: { $ne: 'Coast' } }, { tags: 'x' }, { created_at: { $gt: '2026-01-01' } }])(
    'behind a place is read along the index of each owner if the planner knows how many match, %o',
    async (where) => {
      const nodes = await nodesOf({ ...where, $after: cursorAt('id', 1, '7') }, office);
      expect(nodes.filter((node) => node.Alias === 'owners')).not.toEqual([]);
    },
  );

  it('with conditions finds shared contacts by their index alone, however few of all contacts match', async () => {
    const nodes = await nodesOf({ hotness_id: 3, source_id: 3 }, []);
    const above = nodes.filter(({ Plans = [] }) =>
      Plans.some((node) => node['Index Name'] === 'contacts_shared'),
    );
    expect(above.map((node) => node['Node Type'])).toEqual(['Bitmap Heap Scan']);
  });

  it.each([
    ['a source', { source_id: 3 }],
    ['a hotness', { hotness_id: 3 }],
    ['one of several hotnesses', { hotness_id: { $in: [3, 4] }, $sort: { modified_at: -1 } }],
    ['both since a moment', { hotness_id: 3, source_id: 3, modified_at: { $gte: '2026-01-01T00:00:00Z' } }],
    ['both, last created first', { hotness_id: 3, source_id: 3, $sort: { created_at: -1 } }],
  ])('by %s reads which of the own ones match from an index alone', async (_, find) => {
    await vacuumed();
    expect(scansIn(await nodesOf(find, []))[0]).toEqual(['Index Only Scan', 'contacts_owner_filters']);
  });

  it.each(['VIP', 'VIP, Buyer'])(
    'by tags begins with the tags of the owner, and looks up those of no contact: %s',
    async (tags) => {
      for (const sharing of [[], mates, office]) {
        const nodes = await nodesOf({ tags }, sharing);
        const ofOwners = nodes
          .filter((node) => node['Relation Name'] === 'tags')
          .map((node) => node['Index Cond']);
        expect(ofOwners).toContainEqual(expect.stringMatching(/user_id = /));
        const compared = nodes
          .filter((node) => node['Relation Name'] === 'contacts')
          .map(({ Filter }) => Filter);
        expect(compared.join()).not.toMatch(/tags_head/);
        expect(nodes.map((node) => node['Index Name'])).toContain('contact_tags_tag_contact');
      }
    },
  );

  it('reads shares from their index, where nothing that was written waits to be sorted in', async () => {
    await contacts.rows(`insert into contacts (owner_user_id, first_name, shared_user_ids, created_at, modified_at)
      select 1, 'Shared', array[i], now(), now() from generate_series(1, 100) i`);
    expect(await contacts.rows(`select gin_clean_pending_list('contacts_shared')::int as pages`)).toEqual([
      { pages: 0 },
    ]);
  });

  it.each([
    ['id', '7', 'owner'],
    ['modified_at', '2026-01-02T03:04:05.678901Z', 'owner_modified'],
    ['modified_at', '2026-01-02T03:04:05.678901Z', 'assignee_modified'],
    ['created_at', '2026-01-02T03:04:05.678901Z', 'owner_created'],
    ['created_at', '2026-01-02T03:04:05.678901Z', 'assignee_created'],
    ['last_activity_at', '2026-01-02T03:04:05.678901Z', 'owner_activity'],
    ['last_activity_at', null, 'owner_activity'],
  ])('by %s begins behind %s in the index %s of that order', async (field, value, index) => {
    for (const { nodes, scans } of await walksBy(field, value)) {
      expect(sortedIndexes(nodes)).not.toContain(`contacts_${index}`);
      const begins = scans.filter((node) => node['Index Name'] === `contacts_${index}`);
      expect(begins.length).toBeGreaterThan(0);
      for (const node of begins) {
        expect(node['Index Cond']).toMatch(new RegExp(`user_id.*\\b${field}\\b`));
        expect(node.Filter ?? '').toMatch(/^(\(id <> \$\d+\))?$/);
      }
    }
  });

  it.each([
    ['id', '7'],
    ['modified_at', '2026-01-02T03:04:05.678901Z'],
    ['last_activity_at', null],
    ['first_name', 'Ada'],
    ['first_name', null],
  ])('by %s behind %s never scans the contacts of others', async (field, value) => {
    for (const { scans } of await walksBy(field, value)) {
      expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      // By its id alone only what is on the page.
      for (const node of scans.filter((node) => node['Index Name'] === 'contacts_pkey'))
        expect(node['Index Cond']).toMatch(/^\(id = [^$]+\)$/);
    }
  });

  it('with a search reads the words of an owner and of an assignee from their indexes alone', async () => {
    await vacuumed();
    for (const sharing of [[], mates, office]) {
      const nodes = await nodesOf({ $search: 'smith' }, sharing);
      const of = (type: string) => {
        const scans = nodes.filter(
          (node) => node['Node Type'] === type && /user_id/.test(String(node['Index Cond'])),
        );
        return new Set(
          scans.map((node) => node['Index Name']).filter((name) => /^contacts_/.test(String(name))),
        );
      };
      const words = ['contacts_owner_words', 'contacts_assignee_words', 'contacts_assignee_owner'];
      expect(of('Index Only Scan')).toEqual(expect.toSatisfy((names) => new Set(words).isSubsetOf(names)));
      // Beside what does not fit into them, of which there is little.
      expect(of('Index Scan').union(of('Bitmap Index Scan')).difference(long)).toEqual(new Set());
    }
  });
});

const long = new Set([
  'contacts_owner_long_words',
  'contacts_assignee_long_words',
  'contacts_shared',
  'tags_user',
]);
