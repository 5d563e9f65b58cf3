import { afterAll, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const tomorrow = Temporal.Now.plainDateISO('America/New_York').add({ days: 1 });
const evening = new Date(
  tomorrow.toZonedDateTime({ timeZone: 'America/New_York', plainTime: '20:50' }).epochMilliseconds,
);
const quiet = await dispatchUnderTest({ quietHours: true }, () => evening);
const always = await dispatchUnderTest();
afterAll(async () => {
  await quiet.close();
  await always.close();
});

it('a text may wait at the carrier only until the hours of the contact end', async () => {
  const to = await quiet.contact({ mobile_phone: '+12125550123' });
  await quiet.due('Text Contact', { contact_id: to.id });
  await quiet.turn();
  expect(quiet.carrier.texts()).toMatchObject([{ to: '+12125550123', valid_seconds: 600 }]);
});

it('without quiet hours it may wait for as long as a text may be late', async () => {
  const { to } = await always.due('Text Contact');
  await always.turn();
  expect(always.carrier.texts()).toMatchObject([{ to: to.phone, valid_seconds: 3_600 }]);
});
