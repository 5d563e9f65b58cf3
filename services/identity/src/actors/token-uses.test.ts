import { afterAll, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { tokenUses } from './token-uses.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone } = peopleIn(identity);

async function someToken() {
  const user = await someone();
  const { id } = await identity.asSystem.tokens.create({ user: user.id, name: 'test' });
  return id;
}
const lastUsed = async (id: number) =>
  (await identity.rows('select last_used_at from access_tokens where id = $1', [id]))[0]?.last_used_at;

it('uses of tokens that could not be stored are stored the next time', async () => {
  const id = await someToken();
  const uses = tokenUses();
  const used = new Date('2030-01-02T03:04:05Z');
  uses.note(id, used);
  const unavailable = async () => {
    throw new Error('The database is unavailable.');
  };
  await expect(uses.store(unavailable)).rejects.toThrow('unavailable');
  await uses.store(identity.database.query);
  expect(await lastUsed(id)).toBe('2030-01-02 03:04:05+00');
});

it('a use that one instance stores late does not overwrite a later use stored by another', async () => {
  const id = await someToken();
  for (const at of ['2030-01-02T03:04:05Z', '2030-01-02T03:04:00Z']) {
    const uses = tokenUses();
    uses.note(id, new Date(at));
    await uses.store(identity.database.query);
  }
  expect(await lastUsed(id)).toBe('2030-01-02 03:04:05+00');
});
