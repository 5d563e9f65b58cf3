import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { consentChanged } from '@crm/events';
import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, turn, later, due } = under;

afterEach(clearCrashPoints);

/** Opts a contact out as its agent, and delivers the published events. */
async function optOut(id: number, agent: number) {
  const { consents } = service.contacts.as({ ...someone(), id: agent });
  await consents.patch({ id, text_state: 'Opted Out', email_state: 'Opted Out' });
  for (const { type, data } of await service.contacts.published())
    if (type === `crm.${consentChanged.name}`) await service.deliver(consentChanged, data);
}

describe('a message before its final check', () => {
  it.each([
    ['Text Contact', 'texts'],
    ['Email Contact', 'e-mails'],
  ] as const)('is not sent when an agent opts its contact out (%s)', async (type, what) => {
    const one = await due(type);
    setCrashPointOnce('communication.planned', () => optOut(one.to.id, one.from.id));
    await turn();
    expect(await one.now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Whether the contact may be sent messages has just changed.',
    });
    await service.rows("update opt_out_changes set noted_at = now() - interval '1 minute'");
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_reason: `The contact was opted out of ${what}.` });
    expect(one.received().arrivals).toBe(0);
  });

  it.each(['Text Contact', 'Email Contact'] as const)(
    'is not sent when the agent opts another contact with the number and address out (%s)',
    async (type) => {
      const one = await due(type);
      const owner = { ...someone(), id: one.from.id };
      const same = { mobile_phone: one.to.phone, email: one.to.email.toUpperCase() };
      const other = await service.contacts.as(owner).contacts.create(same);
      setCrashPointOnce('communication.planned', () => optOut(other.id, one.from.id));
      await turn();
      expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled' });
      expect(one.received().arrivals).toBe(0);
    },
  );

  it('is sent when the agent of somebody else opts out a contact with the number', async () => {
    const one = await due('Text Contact');
    const stranger = someone();
    const { id } = await service.contacts.as(stranger).contacts.create({ mobile_phone: one.to.phone });
    setCrashPointOnce('communication.planned', () => optOut(id, stranger.id));
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});
