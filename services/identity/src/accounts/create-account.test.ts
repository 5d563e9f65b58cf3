import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { isPassword } from '../users/password.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { users } = identity.asSystem;

const maria = {
  email: 'Maria.Lopez@example.com',
  first_name: 'Maria',
  last_name: 'Lopez',
  timezone: 'America/Denver',
  password: 'correct horse battery',
  is_broker: true,
};

describe('a user', () => {
  it('is created with the given values, and never shows the password', async () => {
    const { password, ...rest } = maria;
    const made = await users.create(maria);
    expect(made).toMatchObject({ ...rest, email: 'maria.lopez@example.com' });
    expect(JSON.stringify(made)).not.toContain(password);
    expect(await users.search({ email: 'MARIA.lopez@example.com' })).toMatchObject({
      total: 1,
      data: [made],
    });
  });

  it('has its password stored as an argon2id hash, which only the password matches', async () => {
    const { id } = await users.create({ ...maria, email: 'hash@example.com' });
    const [row] = await identity.rows('select password_hash from users where id = $1', [id]);
    const hash = String(row?.password_hash);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain(maria.password);
    expect(await isPassword(maria.password, hash)).toBe(true);
    expect(await isPassword(`${maria.password} `, hash)).toBe(false);
    expect(await isPassword('', 'no hash at all')).toBe(false);
  });

  it('has an e-mail address that no other user has, even if two are created at once', async () => {
    const draft = { ...maria, email: 'twice@example.com' };
    const outcomes = await Promise.allSettled([
      users.create(draft),
      users.create({ ...draft, email: 'TWICE@example.com' }),
      users.create(draft),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ name: 'Conflict', errors: { email: 'is taken' } });
      }
    }
    expect(await identity.rows("select from users where lower(email) = 'twice@example.com'")).toHaveLength(1);
  });

  it.each([
    ['email', 'nobody'],
    ['password', 'short'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+02:00'],
  ])('is refused with the %s %j', async (field, value) => {
    await expect(users.create({ ...maria, [field]: value })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { [field]: expect.any(String) },
    });
  });

  it('is published with its id only', async () => {
    const { id } = await users.create({ ...maria, email: 'said@example.com' });
    const said = (await identity.published()).filter((event) => event.data.user_id === id);
    expect(said).toMatchObject([{ type: 'crm.identity.user.created', data: { user_id: id } }]);
    expect(JSON.stringify(said)).not.toContain('example.com');
  });
});
