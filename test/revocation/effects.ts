import type { Json } from '../system/api.ts';
import { join, made, ok } from '../system/made.ts';
import type { Person, System } from '../system.ts';
import type { Office } from './office.ts';

/** Something that is planned and has no effect until it is due. */
export interface Planned {
  /** Makes it due. */
  due(): Promise<unknown>;
  /** Whether it is still to take effect. */
  isWaiting(): Promise<boolean>;
  /** What may be lost besides what everybody may lose. */
  readonly revoke: Readonly<Record<string, () => Promise<unknown>>>;
  /** Somebody who must not see the contact once it has been lost. */
  readonly reader?: { readonly person: Person; readonly paths: readonly string[] };
}

type Effect = (system: System, office: Office, channel: number) => Promise<Planned>;

const has = async (system: System, service: string, sql: string, id: unknown) =>
  (await system.rows(service, sql, [id])).length > 0;
const pick = <Of>(all: readonly Of[], index: number) => all[index % all.length] as Of;
const planned = ({ planner }: Office, path: string, draft: Json) => made(planner, path, draft);

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

/** A lead of Ben that is offered to Cleo: offered, alerted. */
const offer: Effect = async (system, office, channel) => {
  const { contact, ben } = office;
  const name = `Team of ${ben.id}`;
  const cleo = await system.person();
  await system.operator.users.change({ user: cleo.id, phone: `+1604559${1000 + contact.id}` });
  const team = await made(ben, '/teams', { name, order_method: 'Time' });
  await join(system, team.id, cleo);
  const option = await made(ben, '/team-member-distribution-options', {
    team_id: team.id,
    user_id: cleo.id,
    assign_automatically: false,
    mins_until_lead_offer: 60,
    [pick(['has_email_alert', 'has_text_alert', 'has_call_alert'] as const, channel)]: true,
  });
  const source = await made(ben, '/contact-sources', { name });
  const [leadSource] = (await ben.api.list(`/lead-sources?name=${encodeURIComponent(name)}`)).data;
  const campaign = await made(ben, '/campaigns', { name });
  await system.rows('contacts', 'update contacts set source_id = $2 where id = $1', [contact.id, source.id]);
  await made(ben, '/lead-routes', {
    campaign_id: campaign.id,
    lead_source_id: leadSource?.id,
    contact_source_id: source.id,
    distribution_target: 'Team Rollout',
    team_selection_method: 'Specific Team',
    team_id: team.id,
  });
  const lead = await planned(office, '/leads', { contact_id: contact.id, source_id: leadSource?.id });
  await ok(ben.api.post(`/leads/${lead.id}/offers`, {}));
  const alerts = `select from lead_alerts a join lead_offers o on o.id = a.offer_id
    where o.lead_id = $1 and a.state in ('Waiting', 'Sending')`;
  return {
    due: async () => {
      await system.rows('leads-routing', 'update lead_offers set notify_at = now() where lead_id = $1', [
        lead.id,
      ]);
      await system.rows(
        'leads-routing',
        `update lead_alerts a set due_at = now(), next_attempt_at = now() from lead_offers o
         where o.id = a.offer_id and o.lead_id = $1`,
        [lead.id],
      );
    },
    isWaiting: () => has(system, 'leads-routing', alerts, lead.id),
    revoke: {
      'the team': () => system.operator.teamMembers.remove({ team_id: team.id, user_id: cleo.id }),
      'the distribution': () => ok(ben.api.delete(`/team-member-distribution-options/${option.id}`)),
      'the account of the member': () => system.operator.users.disable({ user: cleo.id }),
    },
    reader: { person: cleo, paths: ['/leads', `/leads/${lead.id}`, `/leads/${lead.id}/offers`] },
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

export const effects = { communication, offer, task, notice } as const;
