import { absent, someone } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { publicUrl, schedulingUnderTest } from '../../test/harness.ts';
import { type Action, action, call, enrolled, next, plan, template } from '../../test/plans.ts';
import { messageOf } from '../communications/message-of.ts';
import { emailBody, unsubscribeUrlOf } from '../dispatch/email-body.ts';
import { agentTaskTypes, timingTypes } from './enrolment.api.ts';

const time = { now: new Date('2026-03-02T18:00:05Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const { enrolments } = scheduling.asSystem;

async function account(email: string, first_name: string) {
  const { id } = await scheduling.identity.asSystem.users.create({
    email,
    first_name,
  });
  return { ...someone(), id };
}
const anna = await account('anna@example.com', 'Anna');
const bert = await account('bert@example.com', 'Bert');
const bill = { first_name: 'Bill <b>', birthday: '1980-05-31' };
const { id: contact_id } = await scheduling.contacts.as(anna).contacts.create(bill);

const link = unsubscribeUrlOf({ publicUrl });

describe('a preview', () => {
  it('shows messages as they would be sent now, with their missing values', async () => {
    const body = '<p>{{contact.first_name}} {{contact.company}} {{shoe.size}} {{user.first_name}}</p>';
    const mail = action({ template: { ...template, body }, assigned_user_id: bert.id });
    const { communications } = await enrolments.preview(plan(anna, [mail, action()], { contact_id }));
    expect(communications).toEqual([
      {
        action_id: mail.id,
        type: 'Email Contact',
        send_at: '2026-03-02T19:00:00.000Z',
        send_from_user_id: bert.id,
        template_name: 'Welcome',
        template_folder_name: 'Buyers',
        subject: 'Hello Bill <b>',
        body: `<p>Bill &lt;b&gt;   Bert</p><p>Unsubscribe: <a href="${link}">${link}</a></p>`,
        unknown: ['shoe.size'],
        empty: ['contact.company'],
        moved_to: null,
        is_refused: true,
        reason: 'The sender can no longer see the contact.',
      },
      expect.objectContaining({
        send_from_user_id: anna.id,
        subject: '',
        body: `<p>Unsubscribe: <a href="${link}">${link}</a></p>`,
        template_name: null,
      }),
    ]);
  });

  it('says why an action creates nothing', async () => {
    const one = call({ event_trigger_type: '2' });
    const { skipped, ...rest } = await enrolments.preview(plan(anna, [one], { contact_id }));
    expect(rest).toEqual({ communications: [], tasks: [] });
    expect(skipped).toEqual([
      { action_id: one.id, type: 'Agent Task - Call Reminder', reason: 'The contact has no birthday.' },
    ]);
  });

  it('creates nothing, and throws NotFound for a removed contact', async () => {
    const before = (await scheduling.published()).length;
    await enrolments.preview(plan(anna, [action(), call()], { contact_id }));
    expect((await scheduling.published()).length).toBe(before);
    expect(await scheduling.rows('select from communications union all select from tasks')).toEqual([]);
    const removed = plan(anna, [action()], { contact_id: absent });
    await expect(enrolments.preview(removed)).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is only for the system', async () => {
    const wanted = plan(anna, [], { contact_id });
    const api = scheduling.as(anna).enrolments;
    for (const work of [
      api.preview(wanted),
      api.enrol({ campaign_contact_id: next(), plan: wanted }),
      api.stop({ campaign_contact_id: next() }),
    ])
      await expect(work).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

const anyAction: fc.Arbitrary<Action> = fc
  .record({
    type: fc.constantFrom('Email Contact' as const, 'Call Contact', 'Text Contact', ...agentTaskTypes),
    assigned_user_id: fc.constantFrom(null, anna.id, bert.id, absent),
    timing_type: fc.constantFrom(...timingTypes),
    recurrence: fc.constantFrom(null, 'FREQ=WEEKLY', 'FREQ=DAILY;COUNT=4', 'FREQ=DAILY;UNTIL=20200101', 'x'),
    event_trigger_type: fc.constantFrom('1' as const, '2' as const),
    delay_by_seconds: fc.option(fc.nat(400 * 86_400)),
    delay_by_days: fc.option(fc.oneof(fc.nat(400), fc.nat(2_147_483_647)), { freq: 8 }),
    dispatch_time: fc.option(fc.constantFrom('00:00:00', '02:30:00', '09:00:00', '23:59:59'), { nil: null }),
    dispatch_datetime: fc.constantFrom(
      null,
      '2026-03-02T18:00:00.000Z',
      '2026-09-01T09:30:15.250Z',
      '2020-01-01',
    ),
    notes: fc.option(fc.string({ maxLength: 20 }).filter((text) => !text.includes('\0'))),
    is_stopped_on_text_reply: fc.boolean(),
    template: fc.option(
      fc.record({
        template_id: fc.constant(7),
        name: fc.constantFrom(null, 'Welcome'),
        folder_name: fc.constantFrom(null, 'Buyers'),
        subject: fc.constantFrom(null, 'Hi {{contact.first_name}}', '{{contact.birthday}}\n{{x}}'),
        body: fc.constantFrom(
          null,
          '<b>{{contact.first_name}}</b>',
          '<a href="{{unsubscribe_url}}">x</a>',
          '{{user.first_name}} {{contact.email}}',
        ),
      }),
    ),
  })
  .map((one) => action({ ...one, dispatch_datetime: one.dispatch_datetime as string | null }));

const anyPlan = fc
  .record({
    actions: fc.array(anyAction, { maxLength: 8 }),
    timezone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'),
    birthday: fc.constantFrom(null, '1980-05-31', 'Feb 29', '03/02/1980', 'some day'),
    start_at: fc
      .integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) })
      .map((ms) => new Date(ms).toISOString()),
  })
  .map(({ actions, ...more }) => plan(anna, actions, { ...more, contact_id }));

type Previewed = Awaited<ReturnType<typeof enrolments.preview>>['communications'][number];

/** Whether a message may be sent is decided when it is sent. */
const withoutOutcome = ({ moved_to: _m, is_refused: _r, reason: _w, ...one }: Previewed) => one;

type Sent = Parameters<typeof messageOf>;

/** The texts of a stored message if it were sent now. */
function textsOf(stored: object, to: Sent[1], from: Sent[2]) {
  const pinned = { ...stored, unsubscribe_url: link } as Sent[0];
  const message = messageOf(pinned, to, from);
  return pinned.type === 'Email Contact' ? { ...message, body: emailBody(message.body, link).html } : message;
}

describe('a preview and an enrolment', () => {
  it('agree for any plan', async () => {
    const [to] = await scheduling.contacts.asSystem.contacts.exportForDispatch({ ids: [contact_id] });
    const users = await scheduling.identity.asSystem.users.byIds({ ids: [anna.id, bert.id] });
    if (!to) throw new Error('The contact exists.');
    await fc.assert(
      fc.asyncProperty(anyPlan, async (planned) => {
        const previewed = await enrolments.preview(planned);
        const { campaign_contact_id, created } = await enrolled(scheduling, planned);
        expect(created).toEqual({
          communications: previewed.communications.length,
          tasks: previewed.tasks.length,
        });
        const all = [...previewed.communications, ...previewed.tasks, ...previewed.skipped];
        expect(all.map(({ action_id }) => action_id).toSorted()).toEqual(
          planned.actions.map(({ id }) => id).toSorted(),
        );
        const rows = await scheduling.rows(
          `select campaign_action_id, type, extract(epoch from send_at)::float8 as seconds, send_from_user_id,
             template_name, template_folder_name, template_subject, text.body
           from communications left join template_texts text on text.digest = body_digest where campaign_contact_id = $1 order by id`,
          [campaign_contact_id],
        );
        expect(
          rows.map(({ campaign_action_id, seconds, template_subject, body, type, ...row }) => ({
            ...row,
            type,
            action_id: campaign_action_id,
            send_at: new Date(Number(seconds) * 1000).toISOString(),
            ...textsOf(
              { type, template_subject, body },
              to,
              users.find(({ id }) => id === row.send_from_user_id),
            ),
          })),
        ).toEqual(previewed.communications.map(withoutOutcome));
        const tasks = await scheduling.rows(
          `select distinct on (t.scheduled_event_id) t.action_type, t.assigned_user_id, t.description, t.notes,
             t.due_local as due_at, to_char(t.due_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_at_utc, t.timezone,
             s.rule as recurrence_rule
           from tasks t join task_series s on s.id = t.scheduled_event_id
           where t.campaign_contact_id = $1 order by t.scheduled_event_id, t.occurrence_index`,
          [campaign_contact_id],
        );
        expect(tasks).toEqual(previewed.tasks.map(({ action_id: _, ...task }) => task));
      }),
      { numRuns: 60 },
    );
  });
});
