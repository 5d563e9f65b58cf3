import { someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { taskAlertsUnderTest } from '../../test/task-alerts.ts';

const { under, instance, alerts, task } = await taskAlertsUnderTest();
afterAll(under.close);
afterEach(() => under.carrier.behave(undefined));
const { service, carrier, due, wait } = under;
/** A typical provider, which accepts a repeated call twice. */
const [send, alert] = [under.instance(false), instance(false)];

/** A call of a campaign to its sender that the provider did not accept, without anybody knowing. */
async function lostCall() {
  const call = await due('Call Contact');
  carrier.behave(() => 'break before accepting');
  await send();
  carrier.behave(undefined);
  expect(await call.now()).toMatchObject({ dispatch_state: 'Unknown' });
  return call;
}

describe('a call that the provider did not accept', () => {
  it('is not mistaken for a reminder to the same user', async () => {
    const call = await lostCall();
    const id = await task({ ...someone(), id: call.from.id }, { reminder_type: 2 });
    await alert();
    expect(await alerts(id)).toMatchObject([{ channel: 'Phone', state: 'Done' }]);
    await wait(call.id);
    await send.reconcile();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Unknown' });
    await wait(call.id, 200);
    await send.reconcile();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Failed', reference: null });
  });

  it('is not mistaken for a reminder whose response was also lost', async () => {
    const call = await lostCall();
    const id = await task({ ...someone(), id: call.from.id }, { reminder_type: 2 });
    carrier.behave(() => 'break after accepting');
    await alert();
    carrier.behave(undefined);
    expect(await alerts(id)).toMatchObject([{ channel: 'Phone', state: 'Unknown' }]);
    await wait(call.id);
    await send.reconcile();
    expect(await call.now()).toMatchObject({ dispatch_state: 'Unknown', reference: null });
  });
});

it('two calls to a user, both of them accepted, are sent', async () => {
  const call = await due('Call Contact');
  carrier.behave(() => 'break after accepting');
  await send();
  await due('Call Contact', { send_from_user_id: call.from.id, contact_id: call.to.id });
  await send();
  carrier.behave(undefined);
  await service.rows("update communications set next_attempt_at = now() where dispatch_state = 'Unknown'");
  await send.reconcile();
  const calls = await service.rows(
    'select dispatch_state, reference from communications where send_from_user_id = $1',
    [call.from.id],
  );
  expect(calls).toMatchObject([{ dispatch_state: 'Sent' }, { dispatch_state: 'Sent' }]);
  expect(new Set(calls.map(({ reference }) => reference)).size).toBe(2);
});
