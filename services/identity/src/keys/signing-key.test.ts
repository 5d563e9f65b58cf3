import type { Query } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { keyHolder } from './signing-key.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const query: Query = identity.database.query;

const unavailable: Query = async () => {
  throw new Error('The database is unavailable.');
};
const withoutRemovals: Query = (text, values) =>
  text.startsWith('delete') ? unavailable(text, values) : query(text, values);

const start = Date.now();
const after = (hours: number) => new Date(start + hours * 3_600_000);
const listed = async (kid: string) =>
  (await identity.rows('select from signing_keys where kid = $1', [kid])).length === 1;

describe('the signing key', () => {
  it('is replaced after twelve hours by another listed key', async () => {
    const keys = keyHolder();
    await keys.renew(query, after(0));
    const { kid } = keys.current();
    await keys.renew(query, after(11.9));
    expect(keys.current().kid).toBe(kid);
    await keys.renew(query, after(12));
    expect(keys.current().kid).not.toBe(kid);
    expect([await listed(kid), await listed(keys.current().kid)]).toEqual([true, true]);
  });

  it('is kept while no other key can be listed, and is replaced as soon as one can', async () => {
    const keys = keyHolder();
    await keys.renew(query, after(0));
    const { kid } = keys.current();
    await expect(keys.renew(unavailable, after(12))).rejects.toThrow('unavailable');
    expect(keys.current().kid).toBe(kid);
    await keys.renew(query, after(12.1));
    expect(keys.current().kid).not.toBe(kid);
  });

  it('is replaced even if expired keys cannot be removed', async () => {
    const keys = keyHolder();
    await keys.renew(query, after(0));
    const { kid } = keys.current();
    await expect(keys.renew(withoutRemovals, after(12))).rejects.toThrow('unavailable');
    expect(keys.current().kid).not.toBe(kid);
  });
});
