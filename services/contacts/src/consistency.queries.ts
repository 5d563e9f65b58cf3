import { type Consistency, referencesTo } from '@crm/data';
import { destinations, isDestination } from './contacts/opt-out-source.queries.ts';
import { comparablePhones } from './contacts/phone.ts';

/** SQL for decisions of agents about contacts that are not stored for the numbers and addresses of these. */
const lostOptOuts = `from agent_consents a join contacts on contacts.id = a.contact_id
  cross join lateral (select case channel when 'Text' then ${destinations.Text} else ${destinations.Email} end) d (destination)
  where state = 'Opted Out' and ${isDestination} and not exists (
    select from agent_opt_outs o
    where (o.owner_user_id, o.channel, o.destination) = (contacts.owner_user_id, a.channel, d.destination)
  )`;

const users = { service: 'identity', table: 'users' };

/** What `crm verify` checks besides foreign keys. */
export const consistency: Consistency = {
  rules: [
    {
      what: 'contacts whose shared_user_ids are not the users of their shares',
      wrong: `select c.id from contacts c
        where (select coalesce(array_agg(s.user_id order by s.user_id), '{}') from contact_shares s where s.contact_id = c.id)
          is distinct from array(select unnest(c.shared_user_ids) order by 1)`,
      advice: 'Run `crm verify --repair`, which sets them from the shares.',
      repair: `update contacts set version = version + 1, shared_user_ids = array(
          select s.user_id from contact_shares s where s.contact_id = contacts.id order by s.id)
        from wrong where contacts.id = wrong.id`,
    },
    {
      what: 'totals that are not the number of contacts of their owner',
      wrong: `select owner_user_id as id from contact_totals t group by owner_user_id
        having bool_or(is_base)
        and sum(contacts) <> (select count(*) from contacts c where c.owner_user_id = t.owner_user_id)`,
      advice: 'Run `crm verify --repair`, which adds the difference.',
      repair: `insert into contact_totals (owner_user_id, contacts, is_base)
        select id, (select count(*) from contacts where owner_user_id = wrong.id)
          - (select sum(contacts) from contact_totals where owner_user_id = wrong.id), false from wrong`,
    },
    {
      what: 'ended delegations whose shares and assignments are not being undone',
      wrong: `select id from delegations d where ended_at is not null and undo_due_at is null and (
          exists (select from contact_shares s where s.delegation_id = d.id)
          or exists (select from delegated_assignments a where a.delegation_id = d.id)
          or exists (select from replaced_assignments r where r.delegation_id = d.id)
          or exists (select from repeated_shares r where r.delegation_id = d.id))
        or undo_due_at < now() - interval '1 hour' or undo_attempts >= 10`,
      advice:
        'Run `crm verify --repair`, which has them undone, and see the log of contacts; its workers may not run.',
      repair: `update delegations set undo_due_at = now() from wrong where delegations.id = wrong.id`,
    },
    {
      what: 'contacts with tags of another owner',
      wrong: `select distinct c.id from contact_tags join contacts c on c.id = contact_id join tags on tags.id = tag_id
        where tags.user_id <> c.owner_user_id and tags.removed_at is null`,
      advice:
        'Filters by these tags do not find them. Remove the tags from each contact, and add them again.',
    },
    {
      what: 'opt-outs by agents that would end with their contacts',
      wrong: `select distinct contacts.id ${lostOptOuts}`,
      advice: 'Run `crm verify --repair`, which keeps them for the numbers and addresses of the contacts.',
      repair: `insert into agent_opt_outs (owner_user_id, channel, destination, since)
        select owner_user_id, channel, destination, min(changed_at) ${lostOptOuts} and contacts.id in (select id from wrong)
        group by owner_user_id, channel, destination on conflict do nothing`,
    },
    {
      what: 'properties of events that do not exist',
      // Those of events that are no longer kept are deleted soon.
      wrong: `select p.id from event_properties p where p.api_event_id > (select min(id) from events)
        and not exists (select from events e where e.id = p.api_event_id)`,
      advice: 'Nobody sees them. Restore their events from a backup.',
    },
    {
      what: 'files of ended imports that no worker has deleted for an hour',
      wrong: `select id from imports where forgets_file and ended_at < now() - interval '1 hour'`,
      advice: 'See the log of contacts; its workers may not run.',
    },
    ...['tags', 'hotnesses', 'contact_sources', 'custom_fields', 'static_lists'].map((table) => ({
      what: `removed ${table.replace('_', ' ')} that no worker has deleted for an hour`,
      wrong: `select id from ${table} where removed_at < now() - interval '1 hour'`,
      advice: 'See the log of contacts; its workers may not run.',
    })),
  ],
  references: [
    ...referencesTo(users, [
      'agent_opt_outs.owner_user_id',
      'bulk_operations.user_id',
      'contacts.owner_user_id',
      'contacts.assigned_user_id',
      'contact_shares.user_id',
      'contact_shares.shared_by_user_id',
      'repeated_shares.shared_by_user_id',
      'contact_sources.user_id',
      'custom_fields.user_id',
      'events.user_id',
      'hotnesses.user_id',
      'imports.user_id',
      'static_lists.owner_user_id',
      'tags.user_id',
    ]),
    ...referencesTo(
      { service: 'identity', table: 'delegations' },
      ['contact_shares.delegation_id', 'repeated_shares.delegation_id'],
      { endedBy: 'never' },
    ),
  ],
  derived: [
    {
      table: 'contacts',
      from: ['mobile_phone', 'home_phone', 'office_phone'],
      columns: ['mobile_phone_e164', 'home_phone_e164', 'office_phone_e164'],
      derive: comparablePhones,
    },
  ],
};
