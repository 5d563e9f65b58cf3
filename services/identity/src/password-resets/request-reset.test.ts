import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { tokenIn, visitorOf } from '../../test/visitor.ts';
import { allowReset } from './password-reset.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone } = peopleIn(identity);
const { passwordResets, users } = identity.asSystem;

async function someEmail() {
  const { id } = await someone();
  const [{ email } = { email: '' }] = await users.byIds({ ids: [id] });
  return { id, email };
}
let networks = 0;
const visitor = () => visitorOf(identity, `198.51.100.${++networks}`);

async function ask(browser: ReturnType<typeof visitor>, email: string) {
  const form_token = tokenIn(await browser.get(passwordResets.ask), '/forgotten-password');
  return browser.post(passwordResets.send, { form_token, email });
}
const linksOf = async (id: number) =>
  (await identity.rows('select from password_resets where user_id = $1', [id])).length;

describe('links to a new password', () => {
  it('are sent only three times to an address, however many requests come at once', async () => {
    const { id, email } = await someEmail();
    await Promise.all(Array.from({ length: 8 }, () => ask(visitor(), email)));
    expect(await linksOf(id)).toBe(3);
  });

  it('are no longer accepted when the account has been disabled', async () => {
    const { id } = await someEmail();
    const token = 'token of a link';
    await allowReset(identity.rows, { userId: id, token, minutes: 60 });
    const open = () => visitor().get(passwordResets.show, '', { params: { token } });
    expect((await open()).status).toBe(200);
    await users.disable({ user: id });
    expect((await open()).status).toBe(404);
  });
});
