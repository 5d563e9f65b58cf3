import { join, made, ok } from '../system/made.ts';
import type { System } from '../system.ts';
import type { Office } from './office.ts';
import { type Effect, has, pick, planned } from './planned.ts';

/** A lead of Ben that is offered to Cleo. */
async function offered(system: System, office: Office, channel: number) {
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
  return { cleo, team, option, lead };
}

/** Offered, alerted. */
export const offer: Effect = async (system, office, channel) => {
  const { ben } = office;
  const { cleo, team, option, lead } = await offered(system, office, channel);
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
    outlives: ['consent'],
    reader: { person: cleo, paths: ['/leads', `/leads/${lead.id}`, `/leads/${lead.id}/offers`] },
  };
};

/** A lead of Ben that nobody has claimed: goes to Ben, who is told. */
export const returned: Effect = async (system, office, channel) => {
  const { lead } = await offered(system, office, channel);
  const isOpen = `select from leads l where id = $1 and (runs_out_at is not null
    or exists (select from lead_alerts a where a.lead_id = l.id and a.state in ('Waiting', 'Sending')))`;
  const mails = async () =>
    (await system.carriers.mail.mails()).filter(({ to }) => to.includes(office.ben.email));
  return {
    due: () => system.rows('leads-routing', 'update leads set runs_out_at = now() where id = $1', [lead.id]),
    isWaiting: () => has(system, 'leads-routing', isOpen, lead.id),
    revoke: {},
    outlives: ['consent'],
    told: {
      unless: ['account', 'contact'],
      look: async () => (await mails()).some(({ text }) => text?.includes(`Lead: ${lead.id}\n`)),
    },
  };
};
