import { createHmac } from 'node:crypto';

import { planOf } from '../contract/plan.ts';
import { agencyIn } from '../system/agency.ts';
import { made } from '../system/made.ts';
import { until } from '../system/until.ts';
import { about, byVisitor, type World, type Write } from './write.ts';

/** What carriers and mail servers post, with a signature or a secret. */
export async function providerWrites(world: World): Promise<Write[]> {
  const { system } = world;
  const { carrier, bounceToken } = system.carriers.delivery;
  const sent = await sentMessages(world);
  const write = (operation: string, run: Write['run'], record = about(null), who = byVisitor()): Write => ({
    operation,
    run,
    row: { ...who, ...record },
  });
  const { pressed, ben } = await pressedKeys(world);
  return [
    write(
      'scheduling.inboundTexts.receive',
      (requestId) =>
        post(
          world,
          '/callbacks/texts',
          { MessageSid: 'SM9', From: '+16045550126', To: carrier.number, Body: 'Hello' },
          requestId,
        ),
      about('inbound-text', null),
    ),
    write(
      'scheduling.statuses.report',
      async (requestId) => {
        const form = { MessageSid: 'SM8', MessageStatus: 'delivered' };
        await post(world, `/callbacks/statuses/${await sent(302)}`, form, requestId);
      },
      about('communication'),
    ),
    write(
      'scheduling.bounces.report',
      async (requestId) => {
        const headers = {
          authorization: `Bearer ${bounceToken}`,
          'content-type': 'message/delivery-status',
          'x-request-id': requestId,
        };
        const body = bounceOf(await sent(303));
        await succeeded(fetch(`${system.url}/callbacks/bounces`, { method: 'POST', headers, body }));
      },
      about('communication'),
    ),
    write(
      'scheduling.unsubscribe.unsubscribe',
      async (requestId) => post(world, `/unsubscribe/${await sent(300)}`, oneClick, requestId),
      about('contact'),
    ),
    write('leads-routing.callbacks.keyPress', pressed, about('lead'), byVisitor(ben.id)),
    write(
      'leads-routing.alertStatuses.report',
      async (requestId) => {
        const [alert] = await system.rows('leads-routing', 'select max(key::text) as key from lead_alerts');
        const form = { MessageSid: 'SM7', MessageStatus: 'delivered' };
        await post(world, `/callbacks/alert-statuses/${alert?.key}`, form, requestId);
      },
      about('lead-alert'),
    ),
  ];
}

const oneClick = { 'List-Unsubscribe': 'One-Click' };

const bounceOf = (key: string) =>
  `Reporting-MTA: dns; mx.example.com\r\nOriginal-Envelope-Id: ${key}\r\n\r\nFinal-Recipient: rfc822; bill@example.com
Action: failed\r\nStatus: 5.1.1\r\n`;

async function succeeded(request: Promise<Response>) {
  const response = await request;
  if (!response.ok)
    throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`);
}

/** Posts a form as the carrier does, signed with the secret of the account. */
function post({ system }: World, path: string, form: Readonly<Record<string, string>>, requestId: string) {
  const { carrier, publicUrl } = system.carriers.delivery;
  const fields = Object.entries(form).sort(([one], [other]) => (one < other ? -1 : 1));
  const signature = createHmac('sha1', carrier.authToken)
    .update(publicUrl + path + fields.flat().join(''))
    .digest('base64');
  const headers = { 'x-twilio-signature': signature, 'x-request-id': requestId };
  return succeeded(fetch(system.url + path, { method: 'POST', headers, body: new URLSearchParams(form) }));
}

/** Makes the key of a communication that was sent: an e-mail for multiples of three, and a text two after them. */
async function sentMessages({ system }: World) {
  const anna = await system.person();
  const contact = await made(anna, '/contacts', { first_name: 'Bill', email: 'bill@example.com' });
  return async (n: number) => {
    const plan = planOf(n, 'Welcome', anna.id, contact.id);
    await anna.scheduling.enrolments.enrol({ campaign_contact_id: n, plan });
    const text = `update communications
      set dispatch_state = 'Sent', begun_at = now(), sent_to = 'bill@example.com', is_active = false, completed_at = now()
      where campaign_contact_id = $1 returning key`;
    return String((await system.rows('scheduling', text, [n]))[0]?.key);
  };
}

/** The member who is called about a lead presses 1. */
async function pressedKeys(world: World) {
  const { system } = world;
  const { anna, ben, contact_id, source_id } = await agencyIn(system)();
  const phone = '+16045550177';
  await system.operator.users.change({ user: ben.id, phone });
  await ben.api.patch('/me', { has_call_alerts: true });
  const [option] = (await anna.api.list('/team-member-distribution-options')).data;
  await anna.api.patch(`/team-member-distribution-options/${option?.id}`, { has_call_alert: true });
  const pressed = async (requestId: string) => {
    const lead = await made(anna, '/leads', { contact_id, source_id });
    await anna.api.post(`/leads/${lead.id}/offers`, {});
    const calls = () => system.carriers.carrier.calls().filter(({ to }) => to === phone);
    const call = await until(() => calls().at(-1));
    const { pathname } = new URL(call.key_press_url ?? '', system.url);
    await post(world, pathname, { CallSid: call.sid, From: call.from, To: phone, Digits: '1' }, requestId);
  };
  return { pressed, ben };
}
