import { parseArgs } from 'node:util';
import { withoutRights } from '@crm/auth';
import { findPage, type Query, searchPage } from '@crm/data';
import { contactsApi } from '../../src/api.ts';
import { searchedContacts } from '../../src/contacts/search.queries.ts';
import { openContacts } from './contacts-to-search.ts';

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    users: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '300' },
    explain: { type: 'string' },
  },
});
const [count, users, rounds] = [Number(values.contacts), Number(values.users), Number(values.rounds)];

await using cleanup = new AsyncDisposableStack();
const database = await openContacts(cleanup, count, users);

const { input } = contactsApi.contacts.find;

/** Runs the statement of a list or a search as the service does. */
async function list(id: number, asked: object, query: Query = database.read) {
  const user = { ...withoutRights(id), timezone: 'UTC', scopes: ['write'] } as const;
  const { $search, ...find } = input.parse(asked);
  return $search
    ? searchPage(query, searchedContacts, user, find, $search)
    : findPage(query, searchedContacts, user, find);
}

interface Known {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly mobile_phone: string;
}

/** What a user may ask for, given one of the user's contacts. */
const questions: Readonly<Record<string, (known: Known) => object>> = {
  list: () => ({}),
  'list by name': ({ last_name }) => ({ last_name }),
  'whole name': ({ first_name, last_name }) => ({ $search: `${first_name} ${last_name}` }),
  'last name': ({ last_name }) => ({ $search: last_name }),
  'start of a name': ({ last_name }) => ({ $search: last_name.slice(0, 3) }),
  'two letters': ({ last_name }) => ({ $search: last_name.slice(0, 2) }),
  'e-mail address': ({ email }) => ({ $search: email }),
  phone: ({ mobile_phone }) => ({ $search: mobile_phone }),
  typo: ({ last_name }) => ({ $search: `${last_name.slice(0, 3)}${last_name.slice(4)}` }),
  'two typos': ({ first_name, last_name }) => ({ $search: `${first_name}x x${last_name}` }),
  tag: () => ({ $search: 'investor' }),
  'word of all': () => ({ $search: 'vancouver' }),
  nothing: () => ({ $search: 'qqqqqq wwwwww' }),
};

const times = new Map(Object.keys(questions).map((name): [string, number[]] => [name, []]));
const counts = new Map<string, number>();
for (let round = 0; round < rounds; round++) {
  const owner = 1 + ((round * 37) % users);
  const [known] = await database.query(
    'select first_name, last_name, email, mobile_phone from contacts where owner_user_id = $1 order by id offset $2 limit 1',
    [owner, (round * 7) % Math.floor(count / users)],
  );
  // In one round, so that all of them are measured under the same load of the machine.
  for (const [name, question] of Object.entries(questions)) {
    const asked = question(known as unknown as Known);
    const begin = performance.now();
    const { text } = await list(owner, asked);
    // The first rounds prepare the statements and fill the caches.
    if (round >= 20) times.get(name)?.push(performance.now() - begin);
    counts.set(name, (counts.get(name) ?? 0) + (JSON.parse(text) as { total: number }).total / rounds);
  }
}

if (values.explain !== undefined) {
  const asked = { $search: values.explain };
  await list(7, asked, async (text, bound) => {
    const plan = await database.query(`explain (analyze, buffers, costs off) ${text}`, bound);
    for (const row of plan) process.stdout.write(`${String(row['QUERY PLAN'])}\n`);
    return [{ body: '{}' }];
  });
}

const at = (name: string, share: number) => {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
};
const base = { p50: at('list', 0.5), p99: at('list', 0.99) };
for (const name of times.keys()) {
  const [p50, p99] = [at(name, 0.5), at(name, 0.99)];
  process.stdout.write(
    `${name.padEnd(18)} ${(counts.get(name) ?? 0).toFixed(1).padStart(8)} found, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `${(p50 / base.p50).toFixed(1)} and ${(p99 / base.p99).toFixed(1)} times a list\n`,
  );
}
