import { randomUUID } from 'node:crypto';
import { startCarriers } from '@crm/delivery/testing';
import { testSecrets } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { tokenIn, visitorOf } from '../../test/visitor.ts';
import { addMail } from '../security-events/account-mail.queries.ts';
import { recordEvent } from '../security-events/security-event.queries.ts';
import { allowReset } from './password-reset.queries.ts';
import { resetTokenOf } from './reset-token.ts';

const carriers = await startCarriers(publicUrl);
afterAll(carriers.close);
const identity = await identityUnderTest({ mail: carriers.delivery });
afterAll(identity.close);
const { someone } = peopleIn(identity);
const { passwordResets, users } = identity.asSystem;

async function someEmail() {
  const { id } = await someone();
  const [{ email } = { email: '' }] = await users.byIds({ ids: [id] });
  return { id, email };
}
const visitor = () => visitorOf(identity);

async function ask(browser: ReturnType<typeof visitor>, email: string) {
  const form_token = tokenIn(await browser.get(passwordResets.ask), '/forgotten-password');
  return browser.post(passwordResets.send, { form_token, email });
}
const linksOf = async (id: number) =>
  (await identity.rows('select from password_resets where user_id = $1', [id])).length;

/** Makes a link with a key. */
async function linkOf(userId: number, key: string, mailKey = randomUUID()): Promise<string> {
  await allowReset(identity.rows, { userId, mailKey, secret: key, minutes: 60 });
  return resetTokenOf(key, mailKey);
}
const statusOf = async (token: string) =>
  (await visitor().get(passwordResets.show, '', { params: { token } })).status;

describe('links to a new password', () => {
  it('are sent only three times to an address, however many requests come at once', async () => {
    const { id, email } = await someEmail();
    await Promise.all(Array.from({ length: 8 }, () => ask(visitor(), email)));
    expect(await linksOf(id)).toBe(3);
  });

  it('are no longer accepted when the account has been disabled', async () => {
    const { id } = await someEmail();
    const token = await linkOf(id, testSecrets.phoneCodeKey);
    expect(await statusOf(token)).toBe(200);
    await users.disable({ user: id });
    expect(await statusOf(token)).toBe(404);
  });

  it('used very often at once are refused for now, and one of them works', async () => {
    const { id } = await someEmail();
    const token = await linkOf(id, testSecrets.phoneCodeKey);
    const [eve, sent] = [visitor(), { params: { token } }];
    const form_token = tokenIn(await eve.get(passwordResets.show, '', sent), `/reset-password/${token}`);
    const choice = { form_token, new_password: 'staple of another kind' };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => eve.post(passwordResets.reset, choice, sent)),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toBe('1');
      expect(body).toContain('The system is busy. Please try again in a moment.');
    }
  });

  it('stop working when the key is replaced', async () => {
    const { id } = await someEmail();
    expect(await statusOf(await linkOf(id, 'the key before'))).toBe(404);
  });

  it('work although they were made before the upgrade', async () => {
    const { id } = await someEmail();
    const token = await linkOf(id, testSecrets.phoneCodeKey);
    await identity.rows('update password_resets set mail_key = null where user_id = $1', [id]);
    expect(await statusOf(token)).toBe(200);
  });

  it('are not sent when they have ended while their e-mail waited', async () => {
    const { email } = await users.create({ email: 'waiting@example.com', invite: true });
    const stateOf = async () =>
      (
        await identity.rows(
          `select m.state from account_mails m join security_events e on e.id = m.event_id
           join users u on u.id = e.user_id where u.email = $1`,
          [email],
        )
      ).map(({ state }) => state);
    await expect.poll(stateOf).toEqual(['Done']);
    await identity.rows(
      'delete from password_resets where user_id = (select id from users where email = $1)',
      [email],
    );
    // As if it had waited until now.
    await identity.rows(
      `delete from account_mails where event_id in (
         select e.id from security_events e join users u on u.id = e.user_id where u.email = $1)`,
      [email],
    );
    await identity.rows(
      `insert into account_mails (event_id, key) select e.id, gen_random_uuid()
       from security_events e join users u on u.id = e.user_id where u.email = $1`,
      [email],
    );
    await expect.poll(stateOf).toEqual(['Dropped']);
  });

  it('work in an e-mail that waited while the key was replaced', async () => {
    const { id, email } = await someEmail();
    const mailKey = randomUUID();
    await linkOf(id, 'the key before', mailKey);
    const event = { userId: id, kind: 'password reset requested', origin: undefined } as const;
    await addMail(identity.rows, await recordEvent(identity.rows, event), mailKey);
    const texts = async () =>
      (await carriers.mail.mails()).filter(({ to }) => String(to).includes(email)).map(({ text }) => text);
    await expect.poll(async () => (await texts()).length).toBe(1);
    const [, token = ''] = /\/reset-password\/([\w-]+)/.exec(String((await texts())[0])) ?? [];
    expect(await statusOf(token)).toBe(200);
  });
});
