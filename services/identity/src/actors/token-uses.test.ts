import { afterAll, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { tokenUses } from './token-uses.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone } = peopleIn(identity);

it('uses of tokens that could not be stored are stored the next time', async () => {
  const user = await someone();
  const { id } = await identity.asSystem.tokens.create({ user: user.id, name: 'test' });
  const uses = tokenUses();
  const used = new Date('2030-01-02T03:04:05Z');
  uses.note(id, used);
  const unavailable = async () => {
    throw new Error('The database is unavailable.');
  };
  await expect(uses.store(unavailable)).rejects.toThrow('unavailable');
  await uses.store(identity.database.query);
  const [row] = await identity.rows('select last_used_at from access_tokens where id = $1', [id]);
  expect(row).toEqual({ last_used_at: '2030-01-02 03:04:05+00' });
});
