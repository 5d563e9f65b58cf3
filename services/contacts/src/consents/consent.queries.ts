import type { User } from '@crm/auth';
import { noRecord } from '@crm/contract';
import { filterOfVisible, hasRows, isoText, type Query, queryFirst, queryRows } from '@crm/data';
import { all, Binds } from '@crm/query';
import { z } from 'zod';
import { contactRows } from '../contacts/contact.queries.ts';
import {
  type Channel,
  concerns,
  decisionsOn,
  destinations,
  isDestination,
  isOptedOut,
  optedOutByAgents,
  optOutSourceOf,
} from '../contacts/opt-out-source.queries.ts';
import { formsOf } from '../opt-outs/forms-of-email.ts';
import { ConsentView, consentApi } from './consent.api.ts';

/** Whether the decision of the contact or of the agent counts: an opt-out first, then the decision of the contact. */
const effective = (channel: Channel, name: string) => `left join lateral (
  select * from ${decisionsOn(channel)} decision
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
  // Reading locks nothing, so the contact may have been removed since it was seen.
  if (!found) throw noRecord(contactId);
  return found;
}

/** In SQL, whether texts to a contact wait until an agent decides. */
const isPaused = `exists (select from text_pauses where number = ${destinations.Text} and ended_at is null)`;

/**
 * For each of the contacts that the user sees, the messages that it does not get. Contacts that get all messages are left out.
 */
export async function optOutsOf(query: Query, user: User, ids: readonly number[]) {
  const binds = new Binds();
  const wanted = `unnest(${binds.add(ids)}::int[]) wanted (id)`;
  const visible = filterOfVisible(contactRows, user, binds);
  const rows = await queryRows(
    query,
    consentApi.optedOut.output.element,
    `select contacts.id as contact_id, array_remove(array[texts, emails], null) as opted_out
     from ${wanted} join contacts on contacts.id = wanted.id cross join lateral (select
       case when ${optOutSourceOf('Text')} is not null or ${isPaused} then 'Text' end as texts,
       case when ${optOutSourceOf('Email')} is not null then 'Email' end as emails) each_one
     where ${all(visible, '(texts is not null or emails is not null)')}`,
    binds.values,
  );
  return new Map(rows.map(({ contact_id, opted_out }) => [contact_id, opted_out]));
}

/** Whether a contact has opted out itself. */
export function hasOptedOut(query: Query, contactId: number, channel: Channel): Promise<boolean> {
  return hasRows(
    query,
    `select from contacts join opt_outs on ${concerns[channel]} and ${isOptedOut}
     where contacts.id = $1::int`,
    [contactId],
  );
}

const lock = (ownerId: string) => `pg_advisory_xact_lock(hashtext('consents'), ${ownerId})`;

/**
 * A decision about one contact changes other contacts of its owner, so such changes wait for each other instead of deadlocking.
 * Must be locked before contacts are, because an import locks several.
 */
export async function lockConsentsOf(query: Query, ownerId: number): Promise<void> {
  await query(`select ${lock('$1::int')}`, [ownerId]);
}

/** Locks the consents of the owner of a contact, if the user sees it. */
export async function lockConsentsAround(query: Query, user: User, contactId: number): Promise<void> {
  const binds = new Binds();
  const condition = `contacts.id = ${binds.add(contactId)}::int`;
  const visible = filterOfVisible(contactRows, user, binds);
  await query(`select ${lock('owner_user_id')} from contacts where ${all(condition, visible)}`, binds.values);
}

/**
 * Stores the decision of an agent about a contact. Triggers store it for the number or address, and for the owner's other
 * contacts.
 */
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

/** Stores that agents opted out new contacts, whose rows nobody else can see yet. */
export async function storeOptOuts(
  query: Query,
  optOuts: readonly { readonly contact_id: number; readonly channel: Channel }[],
  at: Date,
): Promise<void> {
  await query(
    `insert into agent_consents (contact_id, channel, state, changed_at)
     select contact_id, channel, 'Opted Out', $3 from unnest($1::int[], $2::text[]) new (contact_id, channel)
     order by contact_id, channel`,
    [optOuts.map(({ contact_id }) => contact_id), optOuts.map(({ channel }) => channel), at],
  );
}

/** Somebody who gets no messages of some channels, with numbers in E.164. */
interface OptedOut {
  readonly channels: readonly Channel[];
  readonly numbers: readonly (string | null)[];
  readonly emails: readonly (string | null)[];
}

/** Stores that an owner's contacts with a number or an address get no messages. The earliest time counts. */
export async function keepOptOuts(
  query: Query,
  ownerId: number,
  said: readonly OptedOut[],
  at: Date,
): Promise<void> {
  const optOuts = said.flatMap(({ channels, numbers, emails }) =>
    channels.flatMap((channel) =>
      (channel === 'Text' ? numbers : emails).map((destination) => ({ channel, destination })),
    ),
  );
  await query(
    `insert into agent_opt_outs (owner_user_id, channel, destination, since)
     select $1, channel, case channel when 'Email' then lower(destination) else destination end, $4
     from unnest($2::text[], $3::text[]) said (channel, destination) where ${isDestination}
     on conflict do nothing`,
    [ownerId, optOuts.map(({ channel }) => channel), optOuts.map(({ destination }) => destination), at],
  );
}

export interface WithEmail {
  readonly id: number;
  readonly email?: string | null | undefined;
}

const SameRecipients = z.object({ contact_id: z.int(), ids: z.array(z.int()) });

/**
 * For each contact, the contacts of its owner with its number or a form of its address, at most 1,000, because an event is
 * limited in size. Those of the user with the other numbers and addresses are counted with the first contact.
 */
export async function idsWithSameRecipients(
  query: Query,
  contacts: readonly WithEmail[],
  userId: number,
  said: readonly (string | null)[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ids = contacts.map(({ id }) => id);
  const forms = contacts.flatMap(({ id, email }) => formsOf(email ?? '').map((form) => ({ id, form })));
  const also = said.flatMap((destination) => formsOf(destination ?? ''));
  const holding = (channel: Channel) =>
    `select said.contact_id, contacts.id from said join contacts using (owner_user_id)
     where ${destinations[channel]} = said.destination`;
  const rows = await queryRows(
    query,
    SameRecipients,
    `with said as materialized (
       select id as contact_id, owner_user_id, ${destinations.Text} as destination
       from contacts where id = any($1::int[]) and ${destinations.Text} is not null
       union select contacts.id, owner_user_id, lower(destination)
       from unnest($4::int[], $5::text[]) own (id, destination) join contacts using (id) where ${isDestination}
       union select ($1::int[])[1], $2::int, lower(destination) from unnest($3::text[]) also (destination) where ${isDestination}
     )
     select contact_id, (array_agg(distinct id))[:1000] as ids
     from (${holding('Text')} union all ${holding('Email')}) holding group by contact_id`,
    [ids, userId, also, forms.map(({ id }) => id), forms.map(({ form }) => form)],
  );
  return new Map(rows.map(({ contact_id, ids }) => [contact_id, ids]));
}
