import { seed } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inItsShape } from './contract/budget.ts';
import { type Searched, searchReference, wordsOf } from './query/search-reference.ts';
import type { Json } from './system/api.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

const syllable = fc.constantFrom('an', 'na', 'ma', 'ri', 'é', 'Ö', 'lo', 'son', "O'", 'da', 'Ло', 'σ');
const name = fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const names = fc.array(name, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' '));
const phone = fc
  .tuple(
    fc.constantFrom('(604) 555-', '+1 604 555 ', '604.555.', '020 7946 ', '555-'),
    fc.integer({ min: 4570, max: 4579 }),
  )
  .map(([head, tail]) => `${head}${tail}`);
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 2 });

const contact = fc.record({
  first_name: optional(name),
  last_name: optional(names),
  email: optional(fc.tuple(name, name).map(([user, host]) => `${user}.${host}@example.com`)),
  company: optional(names),
  mobile_phone: optional(phone),
  spouse_name: optional(name),
  tags: optional(fc.uniqueArray(names, { minLength: 1, maxLength: 2 }).map((tags) => tags.join(', '))),
  addresses: fc.array(
    fc.record({
      street_address_1: fc
        .tuple(fc.integer({ min: 1, max: 20 }), name)
        .map(([n, street]) => `${n} ${street} St.`),
      city: optional(names),
      zip: fc.constantFrom('98101', '98101-1234', 'V6B 1A1'),
    }),
    { maxLength: 2 },
  ),
  modified_at: fc.constantFrom('2026-01-02T00:00:00.000Z', '2026-01-05T00:00:00.000Z'),
});

const typed = fc
  .tuple(names, fc.nat(6), fc.constantFrom('', 'n', 'ma', ' '))
  .map(([words, at, put]) => words.slice(0, at) + put + words.slice(at + 1));
const asked = fc
  .array(fc.oneof(name, names, typed, phone, fc.constantFrom('98101', '1', 'v6b', 'example.com')), {
    minLength: 1,
    maxLength: 2,
  })
  .map((parts) => parts.join(' '))
  .filter((text) => [...text.trim()].length >= 2 && wordsOf(text).length > 0 && wordsOf(text).length <= 8);

const digits = (text: unknown) => String(text ?? '').replaceAll(/\D/g, '');

/** What is searched in a contact, from what the client has sent and read. */
function searched(sent: Json, { id, modified_at }: Json): Searched {
  const text = (field: string) => sent[field] as string | null;
  const number = digits(sent.mobile_phone);
  return {
    id: Number(id),
    modified_at: String(modified_at),
    names: wordsOf(text('first_name'), text('last_name')),
    others: [
      ...wordsOf(text('company'), text('email'), text('spouse_name')),
      ...(sent.addresses as readonly Json[]).flatMap(({ street_address_1, city, zip }) => [
        ...wordsOf(String(street_address_1), city as string | null, String(zip)),
        ...(digits(zip) === '' ? [] : [digits(zip)]),
      ]),
      ...(number === '' ? [] : [number, ...(/^604\d{7}$/.test(number) ? [`1${number}`] : [])]),
    ],
    tags: (text('tags')?.split(', ') ?? []).map((tag) => wordsOf(tag)),
  };
}

const property = fc.record({
  street_address: fc.tuple(fc.integer({ min: 1, max: 20 }), name).map(([n, street]) => `${n} ${street} St.`),
  city: optional(names),
  zipcode: fc.constantFrom('98101', '98101-1234', 'V6B 1A1', 98101),
  mls_id: fc.constantFrom('A-7', 4570, null),
  type: optional(name),
  listing_status: optional(names),
});

/** What is searched in a lead. */
const searchedLead = (sent: Json, { id, created_at }: Json): Searched => ({
  id: Number(id),
  modified_at: String(created_at),
  names: [
    ...wordsOf(String(sent.street_address), sent.city as string | null, String(sent.zipcode)),
    digits(sent.zipcode),
  ],
  others: [
    ...wordsOf(String(sent.mls_id ?? ''), sent.type as string | null, sent.listing_status as string | null),
    ...(digits(sent.mls_id) === '' ? [] : [digits(sent.mls_id)]),
  ],
  tags: [],
});

describe.each(shapesFor(import.meta))('%s: a search', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  let anna: Person;
  const known: Searched[] = [];
  const leads: Searched[] = [];

  beforeAll(async () => {
    anna = await system.person();
    const stranger = await system.person();
    for (const sent of fc.sample(contact, { numRuns: 60, seed })) {
      const { status, body } = await anna.api.post('/contacts', sent);
      expect(status).toBe(201);
      known.push(searched(sent, body));
      expect((await stranger.api.post('/contacts', sent)).status).toBe(201);
    }
    const contact_id = known[0]?.id;
    for (const sent of fc.sample(property, { numRuns: 20, seed })) {
      const { status, body } = await anna.api.post('/leads', { ...sent, contact_id });
      expect(status).toBe(201);
      leads.push(searchedLead(sent, body));
      expect((await stranger.api.post('/leads', { ...sent, contact_id })).status).toBe(201);
    }
  });

  it.each([
    ['/contacts', known, 100],
    ['/leads', leads, 30],
  ] as const)(
    `of %s finds and ranks what a look at every record does (seed ${seed})`,
    async (path, all, numRuns) => {
      const found = fc.asyncProperty(asked, fc.nat(3), async (text, skip) => {
        const ids = searchReference(all, text);
        const query = `$search=${encodeURIComponent(text)}&$limit=20&$skip=${skip}&$select=id`;
        const { total, data } = await anna.api.list(`${path}?${query}`);
        expect({ total, ids: data.map(({ id }) => id) }).toEqual({
          total: ids.length,
          ids: ids.slice(skip, skip + 20),
        });
      });
      await fc.assert(found, { seed, numRuns: inItsShape(numRuns) });
    },
  );

  it('is refused by its name, whatever is wrong', async () => {
    for (const query of [
      '$search=a',
      '$search=',
      '$search=a&$search=b',
      '$search[$gt]=ab',
      `$search=${'x'.repeat(101)}`,
    ]) {
      for (const path of ['/contacts', '/leads']) {
        const { status, body } = await anna.api.get(`${path}?${query}`);
        expect({ status, named: Object.keys(body.errors ?? {}) }, query).toEqual({
          status: 400,
          named: ['$search'],
        });
      }
    }
    expect((await anna.api.get('/contacts?$search=a%00b')).status).toBeLessThan(500);
    expect((await anna.api.get('/contacts?$or[0][$search]=abc')).status).toBe(400);
  });
});
