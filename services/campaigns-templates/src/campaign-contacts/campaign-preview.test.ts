import type { User } from '@crm/auth';
import { agentOf, someone } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { anyAction, anyBirthday, anyMoment, anyZone, type DraftAction } from '../../test/any-campaign.ts';
import { dripsIn, scheduleOf } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';

let now = new Date('2026-03-01T12:00:00Z');
const service = await campaignsUnderTest({ clock: () => now });
afterAll(service.close);
afterEach(() => service.schedulingBecomes('available'));

const { campaignOf, contactOf, templateOf } = dripsIn(service);
const { scheduledFor } = scheduleOf(service);
const previewFor = (user: User) => service.as(user).campaigns.preview;

/** Adds a contact to the campaign now and returns what is scheduled for it, in the form of a preview. */
async function enrolled(user: User, campaign_id: number, contact_id: number) {
  const { id } = await service.as(user).campaignContacts.create({ campaign_id, contact_id });
  const { communications, tasks } = await scheduledFor(user, contact_id, id);
  const ids = tasks.map((task) => task.id);
  const { data } = await service.scheduling.as(user).scheduledTasks.find({ id: { $in: ids }, $limit: 1000 });
  const scheduled = new Map(data.map((task) => [task.id, task]));
  const due = tasks.toSorted((a, b) => (String(a.due_at_utc) < String(b.due_at_utc) ? -1 : 1));
  const firsts = new Map(due.toReversed().map((task) => [scheduled.get(task.id)?.scheduled_event_id, task]));
  return {
    communications: communications
      .map((one) => ({
        type: one.type,
        send_at: one.send_at,
        send_from_user_id: one.send_from_user_id,
        template_name: one.template_name,
        template_folder_name: one.template_folder_name,
      }))
      .toSorted(byText),
    tasks: [...firsts.values()]
      .map((one) => ({
        action_type: one.action_type,
        assigned_user_id: one.assigned_user_id,
        description: one.description,
        notes: one.notes,
        due_at: String(one.due_at).replace(' ', 'T'),
        due_at_utc: one.due_at_utc,
        timezone: one.timezone,
        recurrence_rule: scheduled.get(one.id)?.recurrence_rule ?? null,
      }))
      .toSorted(byText),
  };
}

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

type Preview = Awaited<ReturnType<ReturnType<typeof previewFor>>>;

/** A preview without the fields that only previews have, such as problems that are otherwise found when a message is sent. */
const comparable = ({ communications, tasks }: Preview) => ({
  communications: communications
    .map(({ type, send_at, send_from_user_id, template_name, template_folder_name }) => ({
      ...{ type, send_at, send_from_user_id },
      ...{ template_name, template_folder_name },
    }))
    .toSorted(byText),
  tasks: tasks.map(({ action_id: _, ...one }) => one).toSorted(byText),
});

async function addActions(user: User, campaign_id: number, drafts: readonly DraftAction[], ben: User) {
  const templates = {
    'Email Contact': await templateOf(user, 'Email', '<p>{{contact.first_name}} {{contact.company}}</p>'),
    'Text Contact': await templateOf(user, 'Text', 'Hi {{contact.first_name}}{{nobody}}'),
  };
  const ids = [];
  for (const { assignee, withTemplate, ...draft } of drafts) {
    const assigned_user_id = { nobody: null, self: user.id, colleague: ben.id }[assignee];
    const template = withTemplate && templates[draft.type as keyof typeof templates];
    const reference = template ? { template_id: template.id } : {};
    const action = { campaign_id, ...draft, assigned_user_id, ...reference };
    ids.push((await service.as(user).campaignActions.create(action)).id);
  }
  return { ids, templates };
}

describe('the preview of a campaign', () => {
  it('shows what is scheduled for a contact that is added at that time', async () => {
    const ben = await service.person({ first_name: 'Ben' });
    const known = await service.person({ first_name: 'Anna' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAction, { maxLength: 6 }),
        anyBirthday,
        anyZone,
        anyMoment,
        async (drafts, birthday, timezone, moment) => {
          now = new Date('2026-03-01T12:00:00Z');
          const anna = { ...known, timezone, teammate_ids: [ben.id] };
          const { id: campaign_id } = await service.as(anna).campaigns.create({ name: crypto.randomUUID() });
          const { ids, templates } = await addActions(anna, campaign_id, drafts, ben);
          const contact_id = await contactOf(anna, { first_name: 'Carla <b>', birthday });
          const preview = await previewFor(anna)({ id: campaign_id, contact_id, start_at: moment });
          now = moment;
          expect(await enrolled(anna, campaign_id, contact_id)).toEqual(comparable(preview));
          expect(await previewFor(anna)({ id: campaign_id, contact_id })).toEqual(preview);
          const previewed = [...preview.communications, ...preview.tasks, ...preview.skipped];
          expect(previewed.map(({ action_id }) => action_id).toSorted()).toEqual(ids.toSorted());
          for (const { type, template_name, subject, body, unknown, empty } of preview.communications) {
            const template = template_name === null ? undefined : templates[type as keyof typeof templates];
            const texts = template
              ? await service.as(anna).templates.render({ id: template.id, contact_id })
              : { subject: '', body: '', unknown: [], empty: [] };
            // The unsubscribe link comes after the text of the template.
            const written = body.replace(/<p>Unsubscribe: .*$/, '');
            expect({ subject, body: written, unknown, empty }).toEqual(texts);
            expect(written !== body).toBe(type === 'Email Contact');
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('uses the birthday of the contact and the local time of the caller', async () => {
    const anna = { ...(await service.person()), timezone: 'Asia/Kolkata' };
    const { id } = await service.as(anna).campaigns.create({ name: 'Birthdays' });
    const greeting = { type: 'Text Contact', event_trigger_type: '2', delay_by_days: 0 } as const;
    const when = { timing_type: 'Delay by Day and Time', dispatch_time: '09:00:00' } as const;
    await service.as(anna).campaignActions.create({ campaign_id: id, ...greeting, ...when });
    const start_at = '2026-03-01T12:00:00Z';
    const born = await contactOf(anna, { first_name: 'Carla', birthday: '1980-05-31' });
    expect(await previewFor(anna)({ id, contact_id: born, start_at })).toMatchObject({
      communications: [{ send_at: '2026-05-31T03:30:00.000Z' }],
      skipped: [],
    });
    const withoutBirthday = await contactOf(anna);
    expect(await previewFor(anna)({ id, contact_id: withoutBirthday, start_at })).toMatchObject({
      communications: [],
      skipped: [{ reason: 'The contact has no birthday.' }],
    });
  });

  it('is available only to users who can add the contact to the campaign', async () => {
    const broker = await service.person();
    const agent = { ...(await service.person()), broker: agentOf(broker).broker };
    const [shared, hidden] = [await campaignOf(broker, true), await campaignOf(broker)];
    const contact_id = await contactOf(agent);
    const preview = previewFor({ ...agent, scopes: ['read'] });
    expect((await preview({ id: shared.campaign_id, contact_id })).communications).toHaveLength(2);
    for (const id of [hidden.campaign_id, 999_999])
      await expect(preview({ id, contact_id })).rejects.toMatchObject({ name: 'NotFound' });
    const foreign = await contactOf(someone());
    for (const contact of [foreign, 999_999])
      await expect(preview({ id: shared.campaign_id, contact_id: contact })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { contact_id: `'${contact}' does not exist` },
      });
  });

  it.each(['soon', '2026-02-30', 5, null])('does not start at %j', async (start_at) => {
    const anna = await service.person();
    const { campaign_id: id } = await campaignOf(anna);
    const contact_id = await contactOf(anna);
    await expect(previewFor(anna)({ id, contact_id, start_at: start_at as string })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { start_at: expect.any(String) },
    });
  });

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'can start as far away as %s',
    async (start_at) => {
      const anna = await service.person();
      const { campaign_id: id } = await campaignOf(anna);
      const contact_id = await contactOf(anna, { first_name: 'Carla', birthday: '12/31' });
      const far = { timing_type: 'Delay by Day and Time', delay_by_days: 2_147_483_647 } as const;
      const draft = { type: 'Text Contact', ...far, dispatch_time: '23:59:59' } as const;
      for (const event_trigger_type of ['1', '2'] as const)
        await service.as(anna).campaignActions.create({ campaign_id: id, ...draft, event_trigger_type });
      const { communications, tasks, skipped } = await previewFor(anna)({ id, contact_id, start_at });
      expect(communications.length + tasks.length + skipped.length).toBe(5);
    },
  );

  it('leaves nothing behind, neither here nor in scheduling', async () => {
    const anna = await service.person();
    const { campaign_id: id } = await campaignOf(anna);
    const contact_id = await contactOf(anna);
    const contents = async () => [
      await service.rows(
        `select (select count(*) from campaign_contacts) as contacts, (select count(*) from outbox) as events,
           (select count(*) from idempotency_keys) as keys`,
      ),
      await service.scheduling.rows(
        `select (select count(*) from communications) as communications, (select count(*) from tasks) as tasks,
           (select count(*) from enrolments) as enrolments, (select count(*) from enrolment_ends) as ends,
           (select count(*) from outbox) as events, (select count(*) from idempotency_keys) as keys`,
      ),
    ];
    const before = await contents();
    await previewFor(anna)({ id, contact_id }, { idempotencyKey: 'previewed' });
    expect(await contents()).toEqual(before);
  });

  it('is unavailable while scheduling does not respond', async () => {
    const anna = await service.person();
    const { campaign_id: id } = await campaignOf(anna);
    const contact_id = await contactOf(anna);
    service.schedulingBecomes('unavailable');
    await expect(previewFor(anna)({ id, contact_id })).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
