/** SQL for whether an opt-out is in force. If two requests have the same time, the opt-out counts. */
export const isOptedOut =
  'opt_outs.since is not null and (opt_outs.ended_at is null or opt_outs.since >= opt_outs.ended_at)';

export type Channel = 'Text' | 'Email';

/** In SQL, the number and the address of a contact as opt-outs have them. An address may be an empty text, which is none. */
export const destinations = { Text: 'contacts.mobile_phone_e164', Email: 'lower(contacts.email)' } as const;

/** SQL for whether a number or an address is one, and not null or empty. */
export const isDestination = "mailbox_of(destination) <> ''";

/** SQL for whether an opt-out has the number of a contact, or its mailbox, in whatever form. */
export const concerns = {
  Text: 'destination = contacts.mobile_phone_e164',
  Email: "mailbox_of(destination) = nullif(mailbox_of(contacts.email), '')",
} as const;

/**
 * SQL for the decisions of agents about the number or address of a contact, made on any contact of its owner, even a removed
 * one.
 */
export const optedOutByAgents = (channel: Channel) =>
  `from agent_opt_outs where owner_user_id = contacts.owner_user_id and channel = '${channel}'
    and ${concerns[channel]}`;

/** SQL for the decisions about a contact, its own and its agent's. */
export const decisionsOn = (channel: Channel) => `(
  select case when ${isOptedOut} then 'Opted Out' else 'Allowed' end as state, source,
    greatest(since, ended_at) as changed_at
  from opt_outs where ${concerns[channel]}
  union all
  select state, 'Agent', changed_at from agent_consents
  where contact_id = contacts.id and channel = '${channel}'
  union all
  select 'Opted Out', 'Agent', since ${optedOutByAgents(channel)}
)`;

/** SQL for why a contact gets no messages of a channel, or null. */
export const optOutSourceOf = (channel: Channel): string => `(
  select source from ${decisionsOn(channel)} decision where state = 'Opted Out' order by source = 'Agent', source = 'Bounce' limit 1
)`;
