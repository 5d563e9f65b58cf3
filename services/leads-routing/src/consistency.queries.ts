import { type Consistency, referencesTo } from '@crm/data';

const users = { service: 'identity', table: 'users' };
const teams = { service: 'identity', table: 'teams' };
const contactSources = { service: 'contacts', table: 'contact_sources' };
const longAgo = "now() - interval '10 minutes'";
const advice = 'See the log of leads-routing; its workers may not run.';

const rules: Consistency['rules'] = [
  {
    what: 'claimed leads whose contact was not given to the user who claimed them',
    wrong: `select id from leads where claimed_by_user_id is not null and contact_owner_user_id is not null
      and contact_given_at is null and claimed_at < ${longAgo}`,
    advice: 'See the logs of leads-routing and contacts.',
  },
  {
    what: 'unclaimed leads that nobody can claim and that did not go to their creator',
    wrong: `select id from leads where claimed_by_user_id is null and runs_out_at < ${longAgo}`,
    advice,
  },
  {
    what: 'members who have left and may still have a distribution option',
    wrong: `select id from ended_memberships where ended_at < ${longAgo}`,
    advice: 'See the logs of leads-routing and identity; a worker of leads-routing may not run.',
  },
  {
    what: 'texts that came in and were not passed on',
    wrong: `select id from inbound_texts
      where passed_on_at is null and meaning <> 'claim' and received_at < ${longAgo}`,
    advice: 'See the logs of leads-routing and scheduling.',
  },
  {
    what: 'contact sources without a lead source of the same name',
    wrong: `select k.id, k.user_id, k.name from known_contact_sources k where not k.is_removed
      and not exists (select from lead_sources s where s.user_id = k.user_id and s.name = k.name)`,
    advice: 'Run `crm verify --repair`, which adds it.',
    repair:
      'insert into lead_sources (user_id, name) select distinct user_id, name from wrong on conflict do nothing',
  },
];

/** What `crm verify` checks besides foreign keys. */
export const consistency: Consistency = {
  rules,
  references: [
    ...referencesTo(users, [
      'distribution_options.creator_user_id',
      'distribution_options.user_id',
      'known_contact_sources.user_id',
      'lead_offers.creator_user_id',
      'lead_offers.user_id',
      'lead_routes.creator_user_id',
      'lead_sources.user_id',
      'leads.creator_user_id',
      'leads.assigned_user_id',
      'leads.claimed_by_user_id',
      'leads.contact_owner_user_id',
    ]),
    ...referencesTo(teams, ['distribution_options.team_id'], { endedBy: 'identity.team.removed' }),
    ...referencesTo(teams, ['lead_offers.team_id', 'lead_routes.team_id', 'leads.team_id'], {
      endedBy: 'never',
    }),
    // A lead may name a contact that never existed; the owner is stored only with one that its creator saw.
    ...referencesTo({ service: 'contacts', table: 'contacts' }, ['leads.contact_id'], {
      endedBy: 'never',
      where: 't.contact_owner_user_id is not null',
    }),
    ...referencesTo({ service: 'campaigns-templates', table: 'campaigns' }, ['lead_routes.campaign_id'], {
      endedBy: 'never',
    }),
    ...referencesTo(contactSources, ['leads.contact_source_id', 'lead_routes.contact_source_id'], {
      endedBy: 'never',
    }),
    ...referencesTo(contactSources, ['known_contact_sources.id'], {
      endedBy: 'contacts.contact-source.removed',
      where: 'not t.is_removed',
    }),
  ],
  copies: [
    {
      table: 'known_contact_sources',
      columns: ['user_id', 'name', 'version'],
      where: 'not is_removed',
      of: contactSources,
      events: [
        'contacts.contact-source.created',
        'contacts.contact-source.changed',
        'contacts.default-sources.created',
      ],
    },
  ],
};
