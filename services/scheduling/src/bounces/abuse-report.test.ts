import { randomUUID } from 'node:crypto';
import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { webRequest } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { settleOptOuts } from '../opt-outs/settle-opt-outs.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, turn, later, due, workerContext, settings } = under;

const optedOut = 'The address of the contact has opted out.';

/** Posts a provider's report about the e-mail with a key. */
async function report(key: unknown, { type = 'abuse', token = settings.delivery.bounceToken } = {}) {
  const body = [
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: Provider-Feedback/2.0',
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: <${key}@harbour.example>`,
    'Subject: Open house',
    '--b--',
  ].join('\r\n');
  const headers = { authorization: `Bearer ${token}` };
  return (await service.asSystem.bounces.report(webRequest({ headers, body }))).status;
}

const sourceOf = async ({ to }: Awaited<ReturnType<typeof due>>) =>
  (await service.contacts.asSystem.contacts.exportForDispatch({ ids: [to.id] }))[0]?.email_opt_out;

const sent = async () => {
  const one = await due('Email Contact');
  await turn();
  return one;
};

describe('a report that marks an e-mail as spam', () => {
  it('opts its address out of e-mails like the link in it, and holds back what is being sent', async () => {
    const one = await sent();
    const next = await due('Email Contact', { contact_id: one.to.id, send_from_user_id: one.from.id });
    setCrashPointOnce('communication.planned', async () => {
      expect(await report(one.key)).toBe(204);
    });
    await turn();
    expect(await sourceOf(one)).toBe('List-Unsubscribe');
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_state: 'Failed', dispatch_reason: optedOut });
    expect(next.received().arrivals).toBe(0);
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent', delivery_state: null });
  });

  it('is not lost while contacts does not respond', async () => {
    const one = await sent();
    await service.contacts.rows('alter table opt_outs rename to opt_outs_away');
    expect(await report(one.key)).toBe(204);
    await service.contacts.rows('alter table opt_outs_away rename to opt_outs');
    expect(await sourceOf(one)).toBeNull();
    await service.rows('update opt_out_requests set next_attempt_at = now() where settled_at is null');
    await settleOptOuts(workerContext);
    expect(await sourceOf(one)).toBe('List-Unsubscribe');
  });

  it.each([
    ['that takes one back', { type: 'not-spam' }, 204],
    ['without the secret', { token: 'another-secret-of-a-server' }, 403],
  ])('%s changes nothing', async (_what, options, status) => {
    const one = await sent();
    expect(await report(one.key, options)).toBe(status);
    expect(await sourceOf(one)).toBeNull();
  });

  it('about an unknown e-mail is accepted, and not stored for other services', async () => {
    expect(await report(randomUUID())).toBe(204);
    expect(await service.asSystem.bounces.unmatched({})).toEqual([]);
  });
});
