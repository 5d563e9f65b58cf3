import { type Consistency, referencesTo } from '@crm/data';

const users = { service: 'identity', table: 'users' };
const advice = 'See the log of campaigns-templates; its workers may not run.';

/** What `crm verify` checks besides foreign keys. */
export const consistency: Consistency = {
  rules: [
    {
      what: 'contacts in campaigns that do not exist and are not being removed',
      wrong: `select t.id, t.campaign_id from campaign_contacts t
        where not exists (select from campaigns c where c.id = t.campaign_id)
          and not exists (select from removed_campaigns r where r.campaign_id = t.campaign_id)`,
      advice:
        '`crm verify --repair` removes those of a campaign whose removal was published. Restore others from a backup.',
      // Its worker then removes them with their events, which end what was planned for them.
      repair: `insert into removed_campaigns (campaign_id) select distinct campaign_id from wrong
        where exists (select from outbox o where o.subject = 'crm.campaigns-templates.campaign.removed'
          and o.payload ->> 'subject' = 'campaign/' || wrong.campaign_id)
        on conflict do nothing`,
    },
    {
      what: 'contacts of removed campaigns that no worker has removed for an hour',
      wrong: `select t.id from campaign_contacts t join removed_campaigns r on r.campaign_id = t.campaign_id
        where r.removed_at < now() - interval '1 hour'`,
      advice,
    },
    {
      what: 'contacts in campaigns whose communications were not created',
      wrong: `select t.id from campaign_contacts t join campaigns c on c.id = t.campaign_id
        where t.scheduled_at is null and t.next_attempt_at < now() - interval '10 minutes'`,
      advice,
    },
  ],
  references: [
    ...referencesTo(users, [
      'campaign_actions.assigned_user_id',
      'campaign_contacts.user_id',
      'campaigns.owner_user_id',
      'template_folders.user_id',
      'templates.user_id',
    ]),
    ...referencesTo({ service: 'contacts', table: 'contacts' }, ['campaign_contacts.contact_id'], {
      endedBy: 'contacts.contact.removed',
    }),
  ],
};
