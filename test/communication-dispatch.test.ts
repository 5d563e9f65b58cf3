import { createHmac } from 'node:crypto';
import { seed } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { scale } from './contract/budget.ts';
import { effects } from './revocation/effects.ts';
import { type Office, office, sights } from './revocation/office.ts';
import type { Planned as Plan } from './revocation/planned.ts';
import { shapesFor, startSystem } from './system.ts';

interface Planned {
  readonly name: string;
  readonly revoked: string;
  readonly from: Office;
  readonly plan: Plan;
}

describe.each(shapesFor(import.meta))('%s: what a campaign sends to a contact', async (shape) => {
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

  const until = (look: () => Promise<string>, wanted: string) => expect.poll(look).toBe(wanted);

  it('is sent when it is due', async () => {
    const { person, phone, contact_id, email } = await pair();
    const [byMail, byText] = [
      await communication('Email Contact', person.id, contact_id),
      await communication('Text Contact', person.id, contact_id),
    ];
    await until(byMail, 'Sent');
    await until(byText, 'Sent');
    expect((await mail.mails()).filter(({ to }) => to.includes(email))).toMatchObject([
      { subject: 'Welcome Carla' },
    ]);
    expect(carrier.texts().filter(({ to }) => to === phone)).toMatchObject([{ words: 'Hello Carla' }]);
    const lastActivity = async () => (await person.api.get(`/contacts/${contact_id}`)).body.last_activity_at;
    await until(async () => typeof (await lastActivity()), 'string');
  });

  it('is shown as undelivered by a report in another charset than UTF-8, which is signed as it is', async () => {
    const { person, contact_id } = await pair();
    const { bounceToken = '' } = system.carriers.delivery;
    for (const signed of [true, false]) {
      await until(await communication('Email Contact', person.id, contact_id), 'Sent');
      const [row] = await system.rows(
        'scheduling',
        'select key, id from communications order by id desc limit 1',
      );
      const lines = ['Empf\u00e4nger unbekannt', '', `Original-Envelope-Id: ${row?.key}`];
      const body = Buffer.from([...lines, 'Action: failed', 'Status: 4.4.7'].join('\r\n'), 'latin1');
      const signature = createHmac('sha256', bounceToken).update(body).digest('hex');
      const authorization = signed ? `Signature ${signature}` : `Bearer ${bounceToken}`;
      const headers = { authorization, 'content-type': 'message/rfc822' };
      const answer = await fetch(`${system.url}/callbacks/bounces`, { method: 'POST', headers, body });
      expect(answer.status).toBe(204);
      const state = 'select delivery_state from communications where id = $1';
      const [now] = await system.rows('scheduling', state, [row?.id]);
      expect(now?.delivery_state).toBe('Undelivered');
    }
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
    const subjects = async () =>
      (await mail.mails()).flatMap(({ to, subject }) => (to.includes(person.email) ? [subject] : []));
    await until(async () => (await subjects()).join(), 'Text from Carla');
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

  describe('whatever is revoked between a plan and its effect', () => {
    const everybody = ['nothing', 'sight', 'account', 'contact'];
    const revocations = {
      communication: [
        'consent',
        'the campaign',
        'the contact in the campaign',
        'the permission to send',
        'the permission of the contact',
      ],
      offer: ['consent', 'the team', 'the distribution', 'the account of the member'],
      returned: ['consent'],
      task: [],
      notice: [],
    } as const;
    const plans = Object.entries(revocations).flatMap(([effect, own]) =>
      [...everybody, ...own].map((revoked) => ({ effect: effect as keyof typeof revocations, revoked })),
    );
    const chances = fc.record({
      sight: fc.constantFrom(...sights),
      channel: fc.nat(5),
      isByBroker: fc.boolean(),
    });
    const drawn = fc.sample(chances, { seed, numRuns: Math.ceil(plans.length * scale) });
    // A run takes a quarter of them, another run other ones. `TEST_SCALE=4` takes as many as there are.
    const cases = drawn.flatMap((chance, index) => {
      const plan = plans[index % plans.length];
      return plan && (index + seed) % 4 === 0 ? [{ ...chance, ...plan }] : [];
    });

    /** Whether anything has left about a contact; what its user is told after somebody else has lost it does not count. */
    const hasLeft = (all: readonly { readonly subject: string }[], { from, plan, revoked }: Planned) => {
      // An invitation that was mailed before it was accepted names the team.
      const mails = all.filter(({ subject }) => !subject?.startsWith('An invitation to the team'));
      const sent = [...mails, ...carrier.texts(), ...carrier.calls()].map((one) => JSON.stringify(one));
      const own = [from.ben.email, from.phone].map((to) => JSON.stringify(to));
      const isOwn = (message: string) => revoked in plan.revoke && own.some((to) => message.includes(to));
      return sent.some((message) => message.includes(from.secret) && !isOwn(message));
    };

    it(`has no effect, and shows nothing, unless it stays with its user (seed ${seed})`, async () => {
      const anna = await system.person();
      await system.operator.users.change({ user: anna.id, phone: '+16045550142' });
      const all = await Promise.all(
        cases.map(async ({ effect, revoked, sight, channel, isByBroker }) => {
          const from = await office(system, anna, sight, isByBroker || revoked === 'consent');
          // Calls go to the sender, whatever the contact has opted out of.
          const mayCall = revoked !== 'the permission of the contact';
          const plan = await effects[effect](system, from, mayCall ? channel : channel % 2);
          return { name: `${effect}, without ${revoked}, ${sight}, ${channel}`, revoked, from, plan };
        }),
      );
      const lost = all.filter(({ revoked }) => revoked !== 'nothing');
      await Promise.all(
        lost.map(({ revoked, from, plan }) =>
          new Map(Object.entries({ ...from.revoke, ...plan.revoke })).get(revoked)?.(),
        ),
      );
      await Promise.all(all.map(({ plan }) => plan.due()));
      const waiting = () => Promise.all(all.map(({ plan }) => plan.isWaiting()));
      await expect.poll(waiting).not.toContain(true);
      const mails = await mail.mails();
      const left = all.filter((one) => hasLeft(mails, one)).map(({ name }) => name);
      const isStill = ({ revoked, plan }: Planned) =>
        revoked === 'nothing' || plan.outlives?.includes(revoked);
      expect(left).toEqual(all.filter(isStill).map(({ name }) => name));
      for (const { name, plan, revoked } of all)
        if (plan.told) expect(await plan.told.look(), name).toBe(!plan.told.unless.includes(revoked));
      for (const { name, from, plan, revoked } of lost) {
        // What a broker has offered for a user who still sees the contact stays offered.
        if (revoked === 'consent') continue;
        const { person, paths = [] } = plan.reader ?? {};
        const shown = await Promise.all(paths.map(async (path) => (await person?.api.get(path))?.body));
        expect(JSON.stringify(shown), name).not.toContain(from.secret);
      }
    });
  });
});
