import { hasRows, isoText, type Query, queryFirst } from '@crm/data';
import {
  type Channel,
  destinations,
  isOptedOut,
  known,
  optedOutByAgents,
} from '../contacts/opt-out-source.queries.ts';
import { ConsentView } from './consent.api.ts';

/** Which of the contact's and the agent's word counts: an opt-out before anything else, then the contact's. */
const effective = (channel: Channel, name: string) => `left join lateral (
  select * from ${known(channel)} known
  order by state = 'Opted Out' desc, source = 'Agent', changed_at desc limit 1
) ${name} on true`;

export async function consentOf(query: Query, contactId: number) {
  const found = await queryFirst(
    query,
    ConsentView,
    `select contacts.id as contact_id,
       coalesce(texts.state, 'Allowed') as text_state, texts.source as text_source,
       ${isoText('texts.changed_at')} as text_changed_at,
       ${isoText('pauses.paused_at')} as text_paused_at,
       coalesce(emails.state, 'Allowed') as email_state, emails.source as email_source,
       ${isoText('emails.changed_at')} as email_changed_at
     from contacts ${effective('Text', 'texts')} ${effective('Email', 'emails')}
       left join text_pauses pauses on pauses.number = ${destinations.Text} and pauses.ended_at is null
     where contacts.id = $1::int`,
    [contactId],
  );
  if (!found) throw new Error(`Contact ${contactId} was removed while it was locked.`);
  return found;
}

/** Whether a contact has opted out itself. */
export function hasOptedOut(query: Query, contactId: number, channel: Channel): Promise<boolean> {
  return hasRows(
    query,
    `select from contacts join opt_outs on destination = ${destinations[channel]} and ${isOptedOut}
     where contacts.id = $1::int`,
    [contactId],
  );
}

/** What is said about one contact changes others of its owner, so such changes wait for each other instead of deadlocking. */
export async function lockConsentsOf(query: Query, ownerId: number): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('consents'), $1::int)", [ownerId]);
}

/** Stores what an agent says about a contact. Triggers keep it for the number or address, and for the owner's other contacts. */
export async function storeAgentConsent(
  query: Query,
  contactId: number,
  channel: Channel,
  state: 'Allowed' | 'Opted Out',
  at: Date,
): Promise<void> {
  await query(
    `insert into agent_consents (contact_id, channel, state, changed_at) values ($1, $2, $3, $4)
     on conflict (contact_id, channel) do update set state = excluded.state, changed_at = excluded.changed_at
     where agent_consents.state <> excluded.state or excluded.state = 'Allowed' and exists (
       select from contacts where id = excluded.contact_id and exists (select ${optedOutByAgents(channel)})
     )`,
    [contactId, channel, state, at],
  );
}
