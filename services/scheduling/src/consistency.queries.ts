import { type Consistency, type Reference, type RowRule, referencesTo } from '@crm/data';
import { maxDelay } from './dispatch/to-be-sent.queries.ts';

const users = { service: 'identity', table: 'users' };
const contacts = { service: 'contacts', table: 'contacts' };
const campaignContacts = { service: 'campaigns-templates', table: 'campaign_contacts' };

const longAgo = "now() - interval '10 minutes'";
const advice = 'See the log of scheduling; its workers may not run.';

const rules: readonly RowRule[] = [
  {
    what: 'communications that are more than an hour late and were not moved to another day',
    wrong: `select id from communications where dispatch_state = 'Scheduled' and problem is null
      and send_at < ${longAgo} - ${maxDelay}`,
    advice,
  },
  {
    what: 'ended campaigns and campaign contacts whose messages and tasks were not removed',
    wrong: `select what || ' ' || id as id from enrolment_ends
      where removed_at is null and problem is null and ended_at < ${longAgo}`,
    advice,
  },
  {
    what: 'recurring tasks whose next occurrences were not created',
    wrong: `select id from task_series where problem is null and extend_at < ${longAgo}`,
    advice,
  },
  {
    what: 'tasks that are due and have no reminder',
    wrong: `select id from tasks
      where status = 'incomplete' and notify_assignee and assigned_user_id is not null
        and reminded_of is distinct from due_at and problem is null
        and due_at < ${longAgo} + case when is_all_day then interval '1 day' else interval '0' end`,
    advice,
  },
  {
    what: 'texts that came in and were not settled',
    wrong: `select id from inbound_texts where settled_at is null and problem is null
      and case when is_claim is null then received_at else next_attempt_at end < ${longAgo}`,
    advice: 'See the logs of scheduling and leads-routing, which decides whether a text claims a lead.',
  },
  {
    what: 'opt-outs that were not sent to the service contacts',
    wrong: `select id from opt_out_requests where settled_at is null and requested_at < ${longAgo}`,
    advice,
  },
  {
    what: 'removed contacts that no worker has cleared from tasks for an hour',
    wrong: `select id from removed_contacts where removed_at < now() - interval '1 hour'`,
    advice,
  },
  {
    what: 'removed contacts whose communications no worker has removed for an hour',
    wrong: `select id from removed_recipients where removed_at < now() - interval '1 hour'`,
    advice,
  },
  {
    what: 'removed task categories that no worker has deleted for an hour',
    wrong: `select id from task_categories where removed_at < now() - interval '1 hour'`,
    advice,
  },
];

const references: readonly Reference[] = [
  ...referencesTo(users, [
    'communications.send_from_user_id',
    'communications.completing_user_id',
    'enrolments.user_id',
    'sending_pauses.user_id',
    'task_alerts.user_id',
    'task_categories.user_id',
    'task_series.crm_user_id',
    'task_series.assigned_user_id',
    'tasks.owner_user_id',
    'tasks.assigned_user_id',
    'tasks.completing_user_id',
  ]),
  ...referencesTo(contacts, ['communications.contact_id'], {
    endedBy: 'contacts.contact.removed',
    // The others are removed by a worker.
    where: 'not exists (select from removed_recipients r where r.id = t.contact_id)',
  }),
  ...referencesTo(contacts, ['task_series.contact_id', 'tasks.contact_id'], {
    endedBy: 'contacts.contact.removed',
    // The others are cleared by a worker.
    where: 'not exists (select from removed_contacts r where r.id = t.contact_id)',
  }),
  ...referencesTo(contacts, ['enrolments.contact_id', 'inbound_texts.contact_id'], { endedBy: 'never' }),
  ...referencesTo(campaignContacts, ['communications.campaign_contact_id'], {
    endedBy: 'campaigns-templates.campaign-contact.removed',
    // The others are removed by a worker once the end is stored.
    where: `t.dispatch_state = 'Scheduled' and not exists (select from enrolment_ends e where e.removed_at is null
      and (e.what = 'campaign contact' and e.id = t.campaign_contact_id or e.what = 'campaign' and e.id = t.campaign_id))`,
  }),
  ...referencesTo(campaignContacts, ['enrolments.campaign_contact_id', 'tasks.campaign_contact_id'], {
    endedBy: 'never',
  }),
  ...referencesTo(
    { service: 'campaigns-templates', table: 'campaigns' },
    ['communications.campaign_id', 'enrolments.campaign_id'],
    { endedBy: 'never' },
  ),
  ...referencesTo({ service: 'campaigns-templates', table: 'templates' }, ['communications.template_id'], {
    endedBy: 'never',
  }),
];

/** What `crm verify` checks in addition to foreign keys. */
export const consistency: Consistency = { rules, references };
