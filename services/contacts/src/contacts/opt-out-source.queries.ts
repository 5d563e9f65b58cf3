/** In SQL, of an opt-out. Of two requests with the same time, the opt-out counts. */
export const isOptedOut =
  'opt_outs.since is not null and (opt_outs.ended_at is null or opt_outs.since >= opt_outs.ended_at)';

export type Channel = 'Text' | 'Email';

/** In SQL, the number and the address of a contact as opt-outs have them. */
export const destinations = { Text: 'contacts.mobile_phone_e164', Email: 'lower(contacts.email)' } as const;

/** In SQL, what agents have said about the number or address of a contact, at any contact of its owner, removed ones too. */
export const optedOutByAgents = (channel: Channel) =>
  `from agent_opt_outs where owner_user_id = contacts.owner_user_id and channel = '${channel}'
    and destination = ${destinations[channel]}`;

/** In SQL, what was said about a contact, by itself and by its agent. */
export const known = (channel: Channel) => `(
  select case when ${isOptedOut} then 'Opted Out' else 'Allowed' end as state, source,
    greatest(since, ended_at) as changed_at
  from opt_outs where destination = ${destinations[channel]}
  union all
  select state, 'Agent', changed_at from agent_consents
  where contact_id = contacts.id and channel = '${channel}'
  union all
  select 'Opted Out', 'Agent', since ${optedOutByAgents(channel)}
)`;

/** In SQL, of a contact: why it gets no messages of a channel, or null. */
export const optOutSourceOf = (channel: Channel): string => `(
  select source from ${known(channel)} known where state = 'Opted Out' order by source = 'Agent' limit 1
)`;
