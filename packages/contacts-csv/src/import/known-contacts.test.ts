import { describe, expect, it } from 'vitest';
import { groupsOf, inParallel } from './groups.ts';
import { knownContacts } from './known-contacts.ts';
import { keysOf, type Match } from './same-person.ts';

const anna = { email: 'Anna@Example.com', mobile_phone: '(604) 555-4572' };

function known(match: Match = 'both') {
  const contacts = knownContacts();
  const keys = (person: Parameters<typeof keysOf>[0]) => keysOf(person, match);
  contacts.add({ id: 7, keys: keys(anna) });
  return { contacts, keys, find: (person: Parameters<typeof keysOf>[0]) => contacts.match(keys(person))?.id };
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

  it('is the oldest match, and a match by e-mail address wins over one by phone', () => {
    const { contacts, keys, find } = known();
    contacts.add({ id: 3, keys: keys({ mobile_phone: anna.mobile_phone }) });
    expect(find({ mobile_phone: anna.mobile_phone })).toBe(3);
    expect(find(anna)).toBe(7);
  });

  it('is compared with the changes of the import, not with earlier responses of the service', () => {
    const { contacts, keys, find } = known();
    const same = contacts.match(keys(anna)) ?? expect.fail('No contact matched.');
    contacts.change(same, keys({ email: 'new@example.com' }));
    contacts.add({ id: 7, keys: keys(anna) });
    expect([find({ email: anna.email }), find({ email: 'new@example.com' })]).toEqual([undefined, 7]);
    expect(find({ mobile_phone: anna.mobile_phone })).toBe(7);
  });
});

describe('rows', () => {
  it('that have something in common, directly or through others, keep their order', () => {
    const rows = [['a'], ['b'], [], ['c'], ['a', 'b'], [], ['b']];
    const items = rows.map((tokens, index) => ({ index, tokens }));
    const groups = groupsOf(items, ({ tokens }) => tokens).map((group) => group.map(({ index }) => index));
    expect(groups.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([[0, 1, 4, 6], [2], [3], [5]]);
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
