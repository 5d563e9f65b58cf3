import { describe, expect, it } from 'vitest';
import { inParallel, wavesOf } from './groups.ts';
import { knownContacts } from './known-contacts.ts';
import type { PersonName } from './same-name.ts';
import { keysOf, type Match, type Reachable } from './same-person.ts';

type Person = Reachable & PersonName;

const anna = { email: 'Anna@Example.com', mobile_phone: '(604) 555-4572' };

function known(match: Match = 'both') {
  const contacts = knownContacts(match);
  const keys = (person: Person) => keysOf(person);
  const found = (person: Person) => contacts.match(keys(person), person);
  contacts.add({ id: 7, keys: keys(anna), name: {} });
  return { contacts, keys, found, find: (person: Person) => found(person)?.contact.id };
}

describe('an existing contact', () => {
  it.each([
    [{ email: 'anna@example.COM' }, { both: 7, email: 7, phone: undefined }],
    [{ mobile_phone: '+16045554572' }, { both: 7, email: undefined, phone: 7 }],
    [
      { mobile_phone: '604.555.4572', email: 'other@example.com' },
      { both: 7, email: undefined, phone: 7 },
    ],
    [{ mobile_phone: '604 555 4573' }, { both: undefined, email: undefined, phone: undefined }],
    [
      { email: '', mobile_phone: null },
      { both: undefined, email: undefined, phone: undefined },
    ],
    [{}, { both: undefined, email: undefined, phone: undefined }],
  ])('matches %j by the compared keys', (person, expected) => {
    for (const match of ['both', 'email', 'phone'] as const) {
      expect({ match, id: known(match).find(person) }).toEqual({ match, id: expected[match] });
    }
  });

  it.each(['n/a', '-', 'none', ' ', '0000000000', '@'])('matches nobody by %j', (placeholder) => {
    const { contacts, keys, find } = known();
    contacts.add({ id: 8, keys: keys({ email: placeholder, mobile_phone: placeholder }), name: {} });
    expect(find({ email: placeholder })).toBeUndefined();
    expect(find({ mobile_phone: placeholder })).toBeUndefined();
  });

  it('is no longer found by what the import has replaced by a placeholder', () => {
    const { contacts, keys, find } = known();
    const same = contacts.match(keys(anna), {})?.contact ?? expect.fail('No contact matched.');
    contacts.change(same, keys({ email: 'none' }), {});
    expect([find({ email: anna.email }), find({ mobile_phone: anna.mobile_phone })]).toEqual([undefined, 7]);
  });

  it('is the oldest match, and a match by e-mail address wins over one by phone', () => {
    const { contacts, keys, find } = known();
    contacts.add({ id: 3, keys: keys({ mobile_phone: anna.mobile_phone }), name: {} });
    expect(find({ mobile_phone: anna.mobile_phone })).toBe(3);
    expect(find(anna)).toBe(7);
  });

  it.each([
    [
      'all keys of the row',
      { first_name: 'Nobody', email: 'one@x.example', mobile_phone: '6045554573' },
      8,
      [],
    ],
    ['its name', { first_name: 'MARY', last_name: ' smith', email: 'one@x.example' }, 8, []],
    ['its name in one field', { first_name: 'Mary Smith', email: 'one@x.example' }, 8, []],
    ['the parts of its name that it has', { first_name: 'Mary', email: 'one@x.example' }, 8, []],
    [
      'its name, if none has all keys',
      { first_name: 'Cid', email: 'one@x.example', mobile_phone: '6045554574' },
      9,
      [],
    ],
    ['the earliest entry, and is in doubt without a name', { email: 'one@x.example' }, 6, [8]],
    [
      'the earliest entry, and is in doubt with the name of nobody',
      { first_name: 'Bob', email: 'one@x.example' },
      6,
      [8],
    ],
    [
      'all its keys, and is in doubt if it has the name of another',
      { first_name: 'John', email: 'one@x.example', mobile_phone: '6045554573' },
      8,
      [6],
    ],
  ] as const)('of several people with one address is the one with %s', (_, row, id, rivals) => {
    const { contacts, keys, found } = known();
    const add = (contactId: number, person: Person) =>
      contacts.add({ id: contactId, keys: keys(person), name: person });
    const email = 'one@x.example';
    add(9, { first_name: 'Cid', mobile_phone: '6045554574' });
    add(8, { first_name: 'Mary', last_name: 'Smith', email, mobile_phone: '6045554573' });
    add(6, { first_name: 'John', last_name: 'Smith', email, mobile_phone: '6045554575' });
    const match = found(row);
    expect([match?.contact.id, match?.rivals.map((one) => one.id)]).toEqual([id, rivals]);
  });

  it('is compared with the changes of the import, not with earlier responses of the service', () => {
    const { contacts, keys, find } = known();
    const same = contacts.match(keys(anna), {})?.contact ?? expect.fail('No contact matched.');
    contacts.change(same, keys({ email: 'new@example.com' }), {});
    contacts.add({ id: 7, keys: keys(anna), name: {} });
    expect([find({ email: anna.email }), find({ email: 'new@example.com' })]).toEqual([undefined, 7]);
    expect(find({ mobile_phone: anna.mobile_phone })).toBe(7);
  });
});

describe('the contacts with a placeholder', () => {
  const email = 'noemail@example.com';

  it('are each compared by name, but their names are prepared only once', () => {
    let reads = 0;
    const { contacts, keys, find } = known();
    for (let id = 20; id < 30; id++)
      contacts.add({
        id,
        keys: keys({ email }),
        name: {
          get first_name() {
            reads++;
            return `Anna ${id}`;
          },
        },
      });
    expect([find({ email, first_name: 'Anna 23' }), find({ email, first_name: 'Anna 28' })]).toEqual([
      23, 28,
    ]);
    expect(reads).toBe(10);
  });

  it('are matched oldest first, in whatever order they have become known', () => {
    const { contacts, keys, find } = known();
    for (const id of [12, 11, 13]) contacts.add({ id, keys: keys({ email }), name: {} });
    const [oldest] = contacts.all().filter(({ id }) => id === 11);
    expect(find({ email })).toBe(11);
    contacts.change(oldest ?? expect.fail('It is unknown.'), keys({ email: 'other@example.com' }), {});
    expect([find({ email }), find({ email: 'other@example.com' })]).toEqual([12, 11]);
  });
});

describe('rows', () => {
  it('come in the order of the file after those that they have something in common with, directly or through others', () => {
    const rows = [['a'], ['b'], [], ['c'], ['a', 'b'], [], ['b'], ['d'], ['c']];
    const items = rows.map((keys, index) => ({ index, keys }));
    const linkedBy = (key: string) => (key === 'c' ? [['c', 'd'], ['c']] : []);
    const waves = wavesOf(items, ({ keys }) => keys, linkedBy);
    expect(waves.map((wave) => wave.map(({ index }) => index))).toEqual([[0, 2, 3, 5], [1, 7], [4, 8], [6]]);
  });

  it('are processed with limited concurrency, and none is started after a failure', async () => {
    const started: number[] = [];
    let open = 0;
    let maximum = 0;
    const work = async (item: number) => {
      started.push(item);
      maximum = Math.max(maximum, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      if (item === 5) throw new Error('five');
    };
    const items = Array.from({ length: 50 }, (_, index) => index);
    await expect(inParallel(items, 4, work)).rejects.toThrow('five');
    expect({ maximum, open }).toEqual({ maximum: 4, open: 0 });
    expect(started.length).toBeLessThan(12);
  });
});
