import { startCarriers } from '@crm/delivery/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { signedIn, tokenIn } from '../../test/visitor.ts';
import { forgetAddressesOfNobody } from '../unreachable-addresses/unreachable-address.queries.ts';

const carriers = await startCarriers(publicUrl);
const identity = await identityUnderTest({ carrier: carriers.delivery.carrier, mail: carriers.delivery });
afterAll(async () => {
  await identity.close();
  await carriers.close();
});
const { users, account, profile } = identity.asSystem;

let phones = 3000;

/** A signed-in user, and an unused phone number. */
async function someone(facts: object = {}) {
  const user = await signedIn(identity, facts);
  const { id, browser } = user;
  const phone = `+1415555${++phones}`;
  const submit = async (call: typeof profile.change, path: string, fields: Record<string, string>) => {
    const form_token = tokenIn(await browser.get(account.show), path);
    return browser.post(call, { form_token, ...fields });
  };
  const draft = { first_name: 'Ada', last_name: 'Byron', phone, timezone: 'Europe/Zurich' };
  return {
    ...user,
    phone,
    draft,
    page: async () => (await browser.get(account.show)).body,
    save: (fields: Record<string, string> = {}) =>
      submit(profile.change, '/account/profile', { ...draft, ...fields }),
    tryAgain: (address: string) => submit(profile.tryAgain, '/account/reachable', { address }),
    confirm: (code: string) => submit(profile.confirmPhone, '/account/phone/confirm', { code }),
    sendAnother: () => submit(profile.sendCode, '/account/phone/code', {}),
    stored: async () => (await users.search({ id })).data[0],
    texts: () => carriers.carrier.texts().filter(({ to }) => to === phone),
  };
}
const codeIn = (text: { readonly words: string } | undefined) => text?.words.slice(0, 6) ?? '';
const another = (code: string) => (code === '000000' ? '000001' : '000000');

describe('the profile on the account page', () => {
  it('is saved, and a new number is used once it is confirmed with the code sent to it', async () => {
    const ada = await someone({ phone: '+15035550191' });
    const saved = await ada.save();
    expect({ status: saved.status, location: saved.headers.location }).toEqual({
      status: 303,
      location: '/account',
    });
    const named = { first_name: 'Ada', last_name: 'Byron', timezone: 'Europe/Zurich' };
    expect(await ada.stored()).toMatchObject({ ...named, phone: '+15035550191' });
    expect(await ada.page()).toContain(`Confirm ${ada.phone}`);
    expect(ada.texts()).toHaveLength(1);
    const code = codeIn(ada.texts()[0]);
    const refused = await ada.confirm(another(code));
    expect(refused.status).toBe(422);
    expect(refused.body).toMatch(/<input id="code"[^>]*aria-invalid="true"/);
    expect(refused.body).toContain('<p class="error" id="code-error">The code is wrong.</p>');
    expect(await ada.confirm(code)).toMatchObject({ status: 303 });
    expect(await ada.stored()).toMatchObject({ phone: ada.phone });
    expect(await ada.page()).not.toContain('Confirm +1');
  });

  it('stores which alerts are wanted, as checked in the form', async () => {
    const ada = await someone();
    const ticked = async () =>
      [...(await ada.page()).matchAll(/name="(has_\w+)" value="true" checked/g)].map(([, name]) => name);
    expect(await ticked()).toEqual(['has_text_alerts', 'has_call_alerts']);
    await ada.save({ has_call_alerts: 'true' });
    expect(await ticked()).toEqual(['has_call_alerts']);
  });

  it.each([
    ['phone', '12', 'Enter a phone number such as'],
    ['timezone', 'Mars/Olympus', 'Choose a time zone from the list.'],
    ['first_name', 'x'.repeat(256), 'The first name must have at most 255 characters.'],
  ])(
    'with an invalid %s is not saved; the error is next to the field, and what was typed is kept',
    async (field, value, error) => {
      const ada = await someone();
      const before = await ada.stored();
      const { status, body } = await ada.save({ last_name: 'Typed <b>', [field]: value });
      expect(status).toBe(422);
      expect(body).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
      expect(body).toContain(`<p class="error" id="${field}-error">${error}`);
      expect(body).toContain(`<a href="#${field}">${error}`);
      expect(body).toContain('value="Typed &lt;b&gt;"');
      expect(await ada.stored()).toEqual(before);
      expect(ada.texts()).toEqual([]);
    },
  );

  it('sends another code, up to a limit, and says so', async () => {
    const ada = await someone();
    await ada.save();
    for (let time = 0; time < 2; time++) expect(await ada.sendAnother()).toMatchObject({ status: 303 });
    const { status, body } = await ada.sendAnother();
    expect({ status, sent: ada.texts().length }).toEqual({ status: 429, sent: 3 });
    expect(body).toContain('Too many codes were sent');
    const other = await ada.save({ phone: '+14155553999', first_name: 'Changed' });
    expect(other.status).toBe(429);
    expect(other.body).toMatch(/id="phone-error">Too many codes/);
    expect(await ada.stored()).toMatchObject({ first_name: 'Ada' });
  });

  it('says why a code may not have arrived', async () => {
    const ada = await someone();
    carriers.carrier.behave(() => ({ answer: 429 }));
    await ada.save();
    carriers.carrier.behave(undefined);
    expect(await ada.page()).toContain('The code could not be sent.');
    expect(await ada.page()).not.toContain('was sent to this number');
    await ada.sendAnother();
    expect(await ada.page()).toContain('was sent to this number');
  });

  it('can be emptied', async () => {
    const ada = await someone({ phone: '+15035550191', first_name: 'Ada' });
    await ada.save({ first_name: ' ', phone: '' });
    expect(await ada.stored()).toMatchObject({ first_name: null, phone: null });
  });

  it('keeps a time zone that is no longer listed', async () => {
    const ada = await someone({ timezone: 'US/Pacific' });
    expect(await ada.page()).toContain('<option value="US/Pacific" selected>');
    await ada.save({ timezone: 'US/Pacific' });
    expect(await ada.stored()).toMatchObject({ timezone: 'US/Pacific' });
  });

  it('can only be changed by a form of our own page', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const before = await ada.stored();
    const form_token = tokenIn(await eve.browser.get(account.show), '/account/profile');
    const forms = [profile.change, profile.confirmPhone, profile.sendCode];
    for (const call of forms) {
      for (const [fields, headers] of [
        [{ ...ada.draft }, undefined],
        [{ ...ada.draft, form_token }, undefined],
        [
          { ...ada.draft, form_token: tokenIn(await ada.browser.get(account.show), '/account/profile') },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        ],
      ] as const) {
        const answer = await ada.browser.post(call, fields, headers ? { headers } : {});
        expect(answer.status).toBe(403);
      }
    }
    expect(await ada.stored()).toEqual(before);
    expect(ada.texts()).toEqual([]);
  });
});

describe('an unreachable address', () => {
  const { unreachableAddresses } = identity.asSystem;
  const at = '2026-03-02T20:00:00.000Z';
  const marks = async ({ id }: { readonly id: number }) => {
    const [user] = await users.byIds({ ids: [id] });
    return [user?.is_email_unreachable, user?.is_phone_unreachable];
  };

  it('is shown to its user with instructions to fix it, until the user tries again', async () => {
    const [ada, ben] = [await someone({ phone: '+14155553901' }), await someone()];
    await unreachableAddresses.note({ address: ada.email.toUpperCase(), why: 'unreachable', at });
    await unreachableAddresses.note({ address: '+14155553901', why: 'opted out', at });
    expect([await marks(ada), await marks(ben)]).toEqual([
      [true, true],
      [false, false],
    ]);
    const page = await ada.page();
    for (const words of ['came back on', 'Text START']) expect(page).toContain(words);
    expect(await ben.page()).not.toContain('Alerts that do not reach you');
    await unreachableAddresses.note({ address: ben.email, why: 'unreachable', at });
    for (const address of [ada.email, 'a\0b@example.com'])
      expect(await ben.tryAgain(address)).toMatchObject({ status: 303 });
    expect(await marks(ada)).toEqual([true, true]);
    await ben.tryAgain(ben.email);
    await ada.tryAgain(ada.email);
    expect(await marks(ada)).toEqual([false, true]);
    await ada.tryAgain('+14155553901');
    expect(await ada.page()).not.toContain('Alerts that do not reach you');
  });

  it('is noticed when an e-mail about the account is refused', async () => {
    const email = 'gone@example.com';
    const noMailbox = { answer: 550, body: '5.1.1 No such user' };
    carriers.mail.behave(({ to }) => (to === email ? noMailbox : undefined));
    const ada = await users.create({ email, invite: true });
    await expect.poll(async () => (await marks(ada))[0]).toBeTruthy();
    carriers.mail.behave(undefined);
    await identity.rows('delete from unreachable_addresses');
  });

  it('does not count after the user changes the number, and never for another user', async () => {
    const ada = await someone({ phone: '+14155553902' });
    await unreachableAddresses.note({ address: '+14155553902', why: 'unreachable', at });
    await unreachableAddresses.note({ address: 'nobody@example.org', why: 'unreachable', at });
    await (await someone()).save({ phone: '' });
    expect(await marks(ada)).toEqual([false, true]);
    await users.change({ user: ada.id, phone: '+14155553903' });
    expect(await marks(ada)).toEqual([false, false]);
    await forgetAddressesOfNobody(identity.database.query);
    expect(await identity.rows('select address from unreachable_addresses')).toEqual([]);
  });
});
