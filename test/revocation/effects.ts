import { ok } from '../system/made.ts';
import { offer, returned } from './lead-effects.ts';
import { type Effect, has, pick, planned } from './planned.ts';

/** A message of a campaign: planned, sent. */
const communication: Effect = async (system, office, channel) => {
  const { contact, anna, ben, secret } = office;
  const [template_type, type] = pick(
    [
      ['Email', 'Email Contact'],
      ['Text', 'Text Contact'],
      ['Phone', 'Call Contact'],
    ] as const,
    channel,
  );
  const folder = await planned(office, '/template-folders', { name: secret });
  const template = await planned(office, '/templates', {
    template_folder_id: folder.id,
    template_type,
    subject: 'Hello',
    description: 'Hello',
    body: 'Hello {{contact.first_name}}',
  });
  const campaign = await planned(office, '/campaigns', { name: secret });
  await planned(office, `/campaigns/${campaign.id}/actions`, {
    type,
    timing_type: 'Delay by Minutes',
    delay_by_seconds: 36_000,
    template_metadata_id: template.id,
  });
  const added = await planned(office, `/campaigns/${campaign.id}/contacts`, { contact_id: contact.id });
  return {
    due: () =>
      system.rows(
        'scheduling',
        'update communications set send_at = now(), next_attempt_at = now() where contact_id = $1',
        [contact.id],
      ),
    isWaiting: () =>
      has(
        system,
        'scheduling',
        `select from communications t where contact_id = $1 and dispatch_state in ('Scheduled', 'Sending')
           and not exists (select from sending_pauses p where p.user_id = t.send_from_user_id)`,
        contact.id,
      ),
    revoke: {
      'the campaign': () => ok(ben.api.delete(`/campaigns/${campaign.id}`)),
      'the contact in the campaign': () =>
        ok(ben.api.delete(`/campaigns/${campaign.id}/contacts/${added.id}`)),
      'the permission to send': () => system.scheduling.sendingPauses.add({ user_id: ben.id }),
      'the permission of the contact': () =>
        ok(
          anna.api.patch(`/contacts/${contact.id}/consent`, {
            text_state: 'Opted Out',
            email_state: 'Opted Out',
          }),
        ),
    },
  };
};

/** A task about the contact, of Ben, for Ben or Anna: assigned, reminded of. */
const task: Effect = async (system, office, channel) => {
  const { contact, anna, ben } = office;
  const made = await planned(office, '/api/v1/scheduled/tasks', {
    assigned_user_id: channel % 2 === 0 ? ben.id : anna.id,
    contact_id: contact.id,
    due_at: '2040-03-03T09:00:00',
    description: 'Call',
    status: 'incomplete',
    reminder_type: 1,
    notify_assignee: false,
  });
  return {
    due: () =>
      system.rows('scheduling', 'update tasks set notify_assignee = true, due_at = now() where id = $1', [
        made.id,
      ]),
    isWaiting: () =>
      has(
        system,
        'scheduling',
        `select from tasks t where id = $1 and (reminded_of is distinct from due_at
           or exists (select from task_alerts a where a.task_id = t.id and a.state in ('Waiting', 'Sending')))`,
        made.id,
      ),
    revoke: {},
  };
};

/** A text of the contact that Ben is told of: arrived, notified. */
const notice: Effect = async (system, { contact, ben, secret }) => {
  await system.rows(
    'scheduling',
    `with text as (
       insert into inbound_texts (id, from_number, body, meaning, is_answered, received_at, is_claim, settled_at, contact_id)
       values ($1, $2, 'Yes', 'other', false, now(), false, now(), $3) returning id
     ) insert into text_notices (text_id, channel, user_id, contact_id, next_attempt_at)
       select id, 'Email', $4, $3, now() + interval '1 hour' from text`,
    [secret, contact.mobile_phone, contact.id, ben.id],
  );
  return {
    due: () =>
      system.rows('scheduling', 'update text_notices set next_attempt_at = now() where text_id = $1', [
        secret,
      ]),
    isWaiting: () =>
      has(
        system,
        'scheduling',
        "select from text_notices where text_id = $1 and state in ('Waiting', 'Sending')",
        secret,
      ),
    revoke: {},
  };
};

export const effects = { communication, offer, returned, task, notice } as const;
