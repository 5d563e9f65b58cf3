import { type Change, type Crm, createCrm, type FollowOptions, type Outputs } from '@crm/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { startSystem } from './system.ts';

const system = await startSystem('together');
afterAll(system.stop);
const { url } = system;

type Contact = Outputs['contacts']['get'];
type Changes = AsyncGenerator<Change<Contact>, void, undefined>;

const everyMs = 5;

/** A user with an empty list, and the API over a network that may change responses. */
async function follower(
  change: (response: Response) => Response | Promise<Response> = (response) => response,
) {
  const auth = (await system.person()).token;
  const crm = createCrm({ url, auth });
  const over = createCrm({ url, auth, fetch: async (...given) => change(await fetch(...given)) });
  const add = (first_name: string, modified_at?: Date) =>
    crm.contacts.create({ first_name, ...(modified_at && { modified_at: modified_at.toISOString() }) });
  const follow = (options: FollowOptions = {}) => over.contacts.changes({}, { everyMs, ...options });
  return { crm, add, follow };
}

async function next(changes: Changes) {
  const { value } = await changes.next();
  if (!value) throw new Error('The changes have ended.');
  return value;
}

const namesOf = async (changes: Changes, count: number) => {
  const names: (string | null)[] = [];
  while (names.length < count) names.push((await next(changes)).record.first_name);
  return names;
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** As a proxy answers whose clock is slow, or a request that was sent long ago. */
const dated = (date: Date) => (response: Response) => {
  const headers = new Headers(response.headers);
  headers.set('date', date.toUTCString());
  return new Response(response.body, { status: response.status, headers });
};

describe('the changes of a list', () => {
  it('are all records, and then each that is added or changed, once', async () => {
    const { crm, add, follow } = await follower();
    const first = await add('a');
    await add('b');
    const changes = follow();
    expect(await namesOf(changes, 2)).toEqual(['a', 'b']);
    await add('c');
    await crm.contacts.patch({ id: first.id, first_name: 'd' });
    expect(await namesOf(changes, 2)).toEqual(['c', 'd']);
    await crm.contacts.patch({ id: first.id, first_name: 'e' });
    expect(await namesOf(changes, 1)).toEqual(['e']);
    await changes.return();
  });

  it('have records that appear a minute after their time', async () => {
    const { add, follow } = await follower();
    await add('a');
    const changes = follow();
    expect(await namesOf(changes, 1)).toEqual(['a']);
    await add('late', minutesAgo(1));
    expect(await namesOf(changes, 1)).toEqual(['late']);
    await changes.return();
  });

  it('have a record that was changed twice within a millisecond', async () => {
    const time = minutesAgo(1).toISOString();
    const atOnce = async (response: Response) => {
      const text = (await response.text()).replaceAll(/(?<="modified_at":)"[^"]*"/g, JSON.stringify(time));
      return new Response(text, response);
    };
    const { crm, add, follow } = await follower(atOnce);
    const { id } = await add('a');
    const changes = follow();
    expect(await namesOf(changes, 1)).toEqual(['a']);
    await crm.contacts.patch({ id, first_name: 'b' });
    expect(await namesOf(changes, 1)).toEqual(['b']);
    await changes.return();
  });

  it('go on although a record has a time in the future', async () => {
    const { add, follow } = await follower();
    await add('future', minutesAgo(-60));
    const changes = follow();
    const { cursor } = await next(changes);
    expect(Date.parse(cursor)).toBeLessThanOrEqual(Date.now());
    await add('a');
    expect(await namesOf(changes, 1)).toEqual(['a']);
    await changes.return();
  });

  it('begin where the cursor is, two minutes earlier', async () => {
    const { add, follow } = await follower();
    await add('old', minutesAgo(10));
    await add('recent', minutesAgo(1));
    const before = follow();
    const { cursor } = await next(before);
    await before.return();
    const after = follow({ since: cursor });
    expect(await namesOf(after, 2)).toEqual(['old', 'recent']);
    await after.return();
    const since = new Date().toISOString();
    await add('new');
    const latest = follow({ since });
    const recent = await next(latest);
    expect(recent).toMatchObject({ record: { first_name: 'recent' }, cursor: since });
    expect(await namesOf(latest, 1)).toEqual(['new']);
    await latest.return();
  });

  it('have a cursor that is not after the beginning of the poll that found them', async () => {
    const began = minutesAgo(30);
    const { add, follow } = await follower(dated(began));
    await add('a');
    const changes = follow();
    const { cursor } = await next(changes);
    expect(cursor).toBe(new Date(Math.trunc(began.getTime() / 1_000) * 1_000).toISOString());
    await changes.return();
  });

  it('end when their reader does or gives up', async () => {
    const { add, follow } = await follower();
    await add('a');
    const giving = new AbortController();
    const changes = follow({ signal: giving.signal, everyMs: 600_000 });
    await next(changes);
    const waiting = changes.next();
    giving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    for await (const { record } of follow()) if (record.first_name === 'a') break;
  });

  it('may be of some records and with few fields', async () => {
    const { crm, add } = await follower();
    await add('a');
    const b = await add('b');
    const changes = crm.contacts.changes({ first_name: 'b', $select: ['first_name'] });
    expect((await next(changes)).record).toEqual({ id: b.id, first_name: 'b', modified_at: b.modified_at });
    await changes.return();
  });

  it('are in no other order, and begin at no other place', async () => {
    const { crm, follow } = await follower();
    for (const given of [
      { $sort: { id: 1 } },
      { $skip: 1 },
      { $after: '' },
      { modified_at: { $lt: '2026-01-01' } },
    ] as const)
      await expect(crm.contacts.changes(given).next()).rejects.toThrow(
        `"${Object.keys(given)[0]}" is not allowed`,
      );
    await expect(follow({ since: 'yesterday' }).next()).rejects.toThrow('"since" must be');
  });
});

type Followed = { [Name in keyof Crm]: Crm[Name] extends { changes: unknown } ? Name : never }[keyof Crm];

it('every list can be followed whose records have a time of change', async () => {
  const auth = (await system.person({ is_broker: true })).token;
  const crm = createCrm({ url, auth });
  const contact_id = (await crm.contacts.create({ first_name: 'a' })).id;
  const campaign_id = (await crm.campaigns.create({ name: 'a' })).id;
  // Complete, because otherwise it does not compile.
  const lists: Readonly<Record<Followed, object>> = {
    addresses: { contact_id },
    bulkOperations: {},
    campaignContacts: { campaign_id },
    campaigns: {},
    contactSources: {},
    contacts: {},
    events: {},
    imports: {},
    scheduledTasks: {},
    staticLists: {},
    taskCategories: {},
    tasks: {},
    templates: {},
    users: {},
  };
  for (const [name, input] of Object.entries(lists)) {
    const ended = new AbortController();
    const answered = createCrm({
      url,
      auth,
      fetch: async (...given) => {
        const response = await fetch(...given);
        if (response.ok) ended.abort(new Error(`${name} was read`));
        return response;
      },
    });
    const options = { since: new Date(Date.now() + 600_000).toISOString(), signal: ended.signal };
    const { changes } = answered[name as 'contacts'];
    await expect(changes(input, options).next()).rejects.toThrow(`${name} was read`);
  }
});
