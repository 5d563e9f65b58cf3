import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { type CommunicationType, communicationTypes } from '../communications/communication-type.api.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, turn, sender, contact, workTogether, communication, row } = under;

describe('messages that cannot be sent', () => {
  const failing = async (
    type: CommunicationType,
    facts: { from?: object; to?: object; row?: object },
    change: (ids: { from: number; to: number; phone: string }) => Promise<unknown> = async () => undefined,
  ) => {
    const [from, to] = [await sender(facts.from), await contact(facts.to)];
    const id = await communication({ type, contact_id: to.id, send_from_user_id: from.id, ...facts.row });
    await change({ from: from.id, to: to.id, phone: to.phone });
    await turn();
    const { key, dispatch_state, dispatch_reason, is_active } = await row(id);
    expect(under.received(key).arrivals).toBe(0);
    expect(is_active).toBe(dispatch_state !== 'Dropped');
    return [dispatch_state, dispatch_reason];
  };
  const { users } = service.identity.asSystem;
  const { optOuts } = service.contacts.asSystem;

  it.each([
    ['Email Contact', { to: { email: null } }, 'The contact has no e-mail address.'],
    [
      'Email Contact',
      { row: { template_subject: ' ', body: null } },
      'The e-mail has neither a subject nor a body.',
    ],
    ['Text Contact', { to: { mobile_phone: null } }, 'The contact has no mobile phone number.'],
    [
      'Text Contact',
      { to: { mobile_phone: '12' } },
      'The mobile phone number of the contact cannot be dialed.',
    ],
    [
      'Text Contact',
      { to: { mobile_phone: '604 555 4572 x12' } },
      'The mobile phone number of the contact has an extension, which texts do not reach.',
    ],
    ['Text Contact', { row: { body: '{{contact.company}}' } }, 'The text is empty.'],
    ['Call Contact', { to: { mobile_phone: null } }, 'The contact has no phone number that can be dialed.'],
    ['Call Contact', { from: { phone: null } }, 'The sender has no phone number.'],
  ] as const)('a %s with %o fails with a reason', async (type, facts, reason) => {
    expect(await failing(type, facts)).toEqual(['Failed', reason]);
  });

  it('a call to a sender whose stored number cannot be dialed fails with a reason', async () => {
    const store = "update users set phone = '12' where id = $1";
    expect(await failing('Call Contact', {}, ({ from }) => service.identity.rows(store, [from]))).toEqual([
      'Failed',
      'The phone number of the sender cannot be dialed.',
    ]);
  });

  it('a text to a number that opted out fails with a reason', async () => {
    const at = new Date().toISOString();
    expect(await failing('Text Contact', {}, ({ phone }) => optOuts.add({ number: phone, at }))).toEqual([
      'Failed',
      'The number of the contact has opted out.',
    ]);
  });

  const at = new Date().toISOString();
  const later = new Date(Date.now() + 60_000).toISOString();
  const optedOut = 'The number has opted out of texts. Ask the contact in another way before you call.';

  it.each([
    ['has opted out', (number: string) => optOuts.add({ number, at }), optedOut],
    [
      'has asked in a sentence',
      (number: string) => optOuts.pause({ number, at }),
      'The contact asked by text to be left alone. Decide about that before you call.',
    ],
    [
      'has asked in a sentence and opted out',
      async (number: string) => {
        await optOuts.pause({ number, at });
        await optOuts.add({ number, at });
      },
      optedOut,
    ],
  ] as const)('nobody is asked to call a number that %s', async (_what, say, reason) => {
    expect(await failing('Call Contact', {}, ({ phone }) => say(phone))).toEqual(['Failed', reason]);
    const home = under.number();
    await say(home);
    const to = { mobile_phone: null, home_phone: home };
    expect(await failing('Call Contact', { to })).toEqual(['Failed', reason]);
  });

  it.each([
    ['allows texts again', (number: string) => optOuts.remove({ number, at: later })],
    ['is not reached by texts', (number: string) => optOuts.add({ number, at: later, source: 'Bounce' })],
    ['was decided about', (number: string) => optOuts.resume({ number, at: later })],
  ] as const)('a sender is asked to call a number that %s', async (what, say) => {
    const call = await under.due('Call Contact');
    const { phone: number } = call.to;
    if (what === 'allows texts again') await optOuts.add({ number, at });
    if (what === 'was decided about') await optOuts.pause({ number, at });
    await say(number);
    await turn();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it.each(communicationTypes)('a %s from a disabled or unknown account fails', async (type) => {
    expect(await failing(type, {}, ({ from }) => users.disable({ user: from }))).toEqual([
      'Failed',
      'The account of the sender is disabled.',
    ]);
    expect(await failing(type, { row: { send_from_user_id: 999_999 } })).toEqual([
      'Failed',
      'The sender does not exist.',
    ]);
  });

  it.each(communicationTypes)('a %s from somebody who may no longer see the contact fails', async (type) => {
    const taken = ({ to }: { to: number }) =>
      service.contacts.rows('update contacts set owner_user_id = 999999 where id = $1', [to]);
    expect(await failing(type, {}, taken)).toEqual(['Failed', 'The sender can no longer see the contact.']);
  });

  /** Has a user add the contact to the campaign. */
  const enrol = (userId: number, { to }: { to: number }) =>
    service.rows(
      `insert into enrolments (campaign_contact_id, campaign_id, contact_id, user_id, communications, tasks, created_at)
       values ($1, 1, $2, $3, 1, 0, now())`,
      [2_000_000 + userId, to, userId],
    );

  it.each(communicationTypes)(
    'a %s fails that somebody has planned who may no longer see the contact',
    async (type) => {
      const { id } = await sender();
      const planned = async ({ from, to }: { from: number; to: number }) => {
        await workTogether(from, id);
        await enrol(id, { to });
      };
      expect(await failing(type, { row: { campaign_contact_id: 2_000_000 + id } }, planned)).toEqual([
        'Failed',
        'The user who added the contact to the campaign can no longer see the contact.',
      ]);
    },
  );

  it.each(communicationTypes)(
    'a %s fails in the name of somebody who has left the team of the user who planned it',
    async (type) => {
      const { id } = await sender();
      const left = async ({ from, to }: { from: number; to: number }) => {
        const { team_id } = await workTogether(id, from);
        await enrol(id, { to });
        const assign = 'update contacts set owner_user_id = $2, assigned_user_id = $3 where id = $1';
        await service.contacts.rows(assign, [to, id, from]);
        await service.identity.asSystem.teamMembers.remove({ team_id, user_id: from });
      };
      expect(await failing(type, { row: { campaign_contact_id: 2_000_000 + id } }, left)).toEqual([
        'Failed',
        'The sender does not work with the user who added the contact to the campaign.',
      ]);
    },
  );

  it('a message to a removed contact is dropped', async () => {
    expect(await failing('Email Contact', { row: { contact_id: 999_999 } })).toEqual([
      'Dropped',
      'The contact was removed.',
    ]);
  });

  it('an e-mail to an invalid address fails, and cannot inject a header', async () => {
    const [state, reason] = await failing('Email Contact', { to: { email: 'a@b.example, c@d.example' } });
    expect([state, reason]).toEqual(['Failed', 'This is not one e-mail address.']);
  });
});

it.each([
  { template_subject: 'Hello', body: null },
  { template_subject: null, body: '<p>Hello</p>' },
])('an e-mail with a subject or a body alone is sent: %o', async (words) => {
  const { now } = await under.due('Email Contact', words);
  await turn();
  expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
});
