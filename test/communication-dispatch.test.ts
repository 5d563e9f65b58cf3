import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { shapes, startSystem } from './system.ts';

/** Longer than any expected effect takes. */
const patienceMs = 15_000;

describe.each(shapes)('%s: what a campaign sends to a contact', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { mail, carrier } = system.carriers;
  let phones = 0;

  /** A user with a contact that has a mobile phone. */
  async function pair() {
    const person = await system.person();
    phones += 1;
    const phone = `+1604558${1000 + phones}`;
    const { body } = await person.api.post('/contacts', {
      first_name: 'Carla',
      email: `carla${phones}@example.com`,
      mobile_phone: phone,
    });
    return { person, phone, contact_id: Number(body.id), email: String(body.email) };
  }

  async function communication(type: string, from: number, contact_id: number, seconds = 0) {
    phones += 1;
    const [row] = await system.rows(
      'scheduling',
      `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name,
         type, is_stopped_on_text_reply, template_subject, body, send_from_user_id, send_at, timezone,
         next_attempt_at, created_at, modified_at)
       values ($1, 1, 1, $2, 'Welcome', $3, true, 'Welcome {{contact.first_name}}', 'Hello {{contact.first_name}}', $4,
         now() + make_interval(secs => $5), 'UTC', now() + make_interval(secs => $5), now(), now()) returning id`,
      [phones, contact_id, type, from, seconds],
    );
    return async () => {
      const [now] = await system.rows(
        'scheduling',
        'select dispatch_state as state, dispatch_reason as reason from communications where id = $1',
        [row?.id],
      );
      return `${now?.state} ${now?.reason ?? ''}`.trim();
    };
  }

  async function until(look: () => Promise<string>, wanted: string) {
    const deadline = performance.now() + patienceMs;
    while ((await look()) !== wanted && performance.now() < deadline) await sleep(25);
    expect(await look()).toBe(wanted);
  }

  it('is sent when it is due', async () => {
    const { person, phone, contact_id, email } = await pair();
    const [byMail, byText] = [
      await communication('Email Contact', person.id, contact_id),
      await communication('Text Contact', person.id, contact_id),
    ];
    await until(byMail, 'Sent');
    await until(byText, 'Sent');
    expect(mail.mails().filter(({ to }) => to.includes(email))).toMatchObject([{ subject: 'Welcome Carla' }]);
    expect(carrier.texts().filter(({ to }) => to === phone)).toMatchObject([{ words: 'Hello Carla' }]);
  });

  it('stops after a reply to a text, which is an event of the contact that its agent is told of', async () => {
    const { person, phone, contact_id } = await pair();
    await until(await communication('Text Contact', person.id, contact_id), 'Sent');
    const later = await communication('Text Contact', person.id, contact_id, 3_600);
    expect(await carrier.reply(phone, 'yes')).toMatchObject({
      status: 200,
      body: expect.not.stringContaining('Message'),
    });
    await until(later, 'Dropped The contact replied to a text.');
    const path = `/events?contact_id=${contact_id}&type=text`;
    await until(async () => String((await person.api.list(path)).data[0]?.description), 'yes');
    const subjects = () =>
      mail.mails().flatMap(({ to, subject }) => (to.includes(person.email) ? [subject] : []));
    await until(async () => subjects().join(), 'Text from Carla');
  });

  it('is kept as unmatched if it is from a number of no contact', async () => {
    await carrier.reply('+16045589999', 'Who is this?');
    const unmatched = async () =>
      (await system.scheduling.inboundTexts.unmatched({ limit: 10 })).map(({ body }) => body);
    await until(async () => (await unmatched()).join(), 'Who is this?');
  });

  it('is not texted to a number that has opted out, until it opts in again', async () => {
    const { person, phone, contact_id } = await pair();
    await carrier.reply(phone, 'STOP');
    await until(
      await communication('Text Contact', person.id, contact_id),
      'Failed The number of the contact has opted out.',
    );
    expect(carrier.texts().filter(({ to }) => to === phone)).toEqual([]);
    await carrier.reply(phone, 'START');
    const isOut = 'select from opt_outs where destination = $1 and ended_at is null';
    await until(async () => String((await system.rows('contacts', isOut, [phone])).length), '0');
    await until(await communication('Text Contact', person.id, contact_id), 'Sent');
  });
});
