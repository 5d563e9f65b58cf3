import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { crash } from '@crm/testing';
import { afterAll, afterEach, expect, it } from 'vitest';
import { callbacksOf } from '../../test/callbacks.ts';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { offer, alerts, reachable, later, instance } = under;
const { status } = callbacksOf(under);

it('a status callback decides the outcome of an alert whose response was lost', async () => {
  const { user } = await reachable();
  const { lead_id } = await offer([[user, { has_text_alert: true }]]);
  const send = instance(false);
  setCrashPoint('alert.sent', crash);
  await expect(send()).rejects.toThrow('crash');
  await later();
  await send();
  const [alert] = await alerts(lead_id);
  expect(alert).toMatchObject({ state: 'Unknown' });
  expect(await status(alert?.key ?? '', 'delivered', { secret: 'not-the-secret' })).toMatchObject({
    status: 403,
  });
  expect(await alerts(lead_id)).toMatchObject([{ state: 'Unknown' }]);
  expect(await status(alert?.key ?? '', 'delivered')).toMatchObject({ status: 204 });
  expect(await alerts(lead_id)).toMatchObject([{ state: 'Done', reason: null }]);
});
