import { type Query, queryRows } from '@crm/data';
import type { SendingRules } from '@crm/delivery';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';

/** Whether an attempt to send a row has sent it, or may have. */
export const isBegun = (row: string) =>
  `(${row}.dispatch_state in ('Sending', 'Unknown', 'Sent') or ${row}.doubtful_since is not null)`;

/** When a row `sent` may have been sent, including while it is leased for another attempt. */
const begunAt = 'coalesce(sent.begun_at, sent.doubtful_since)';

/**
 * Whether a row found by contact or number was sent, or may have been, within a day. `coalesce` keeps PostgreSQL from reading the
 * index of everything that was sent, whose recent part it considers empty as long as its statistics are older.
 */
const isSentToOne = `coalesce(${begunAt}, '-infinity') > now() - interval '24 hours' and ${isBegun('sent')}`;

/** Whether an earlier attempt may have sent a row, so that it already counts. */
export const isCounted = (row: string) =>
  `coalesce(${row}.doubtful_since > now() - interval '24 hours', false)`;

/** Calls have no limit, because they go to the sender. */
const hasLimit = (row: string) => `${row}.type <> 'Call Contact'`;

const limitOf = (row: string, { texts, emails }: SendingRules['maxPerAccount']) =>
  `case ${row}.type when 'Text Contact' then ${texts} else ${emails} end`;

/** What limits count by: a contact, the number of a text, which several contacts may have, and an account. */
const limited = {
  /** Nothing more is sent to a removed contact. If it is added again, it has another id but the same number. */
  contact_id: { table: 'communications', at: begunAt, isSent: isSentToOne },
  sent_to: { table: 'sendings', at: begunAt, isSent: isSentToOne },
  /** The order is that of an index, which omits rows that are leased for another attempt. */
  send_from_user_id: {
    table: 'sendings',
    at: 'sent.begun_at',
    isSent: `sent.begun_at > now() - interval '24 hours' and ${isBegun('sent')}`,
  },
};
type Limited = keyof typeof limited;

/**
 * SQL for when the oldest message within the limit was sent, among those with the same value in a column; null while the limit is
 * not reached.
 */
export function fullSince(column: Limited, row: string, limits: SendingRules['maxPerAccount']): string {
  const { table, at, isSent } = limited[column];
  return `(
  select extract(epoch from ${at})::float8 * 1000 from ${table} sent
  where ${hasLimit(row)} and sent.${column} = ${row}.${column} and sent.type = ${row}.type and ${isSent}
  order by ${at} desc offset ${limitOf(row, limits)} - 1 limit 1
)`;
}

/**
 * Whether what an account may still send was counted just now, so that it is not counted again, which takes longer the more was
 * sent. The result is valid only briefly, so that messages that were subtracted but not sent do not count for long.
 */
const isCountedNow = (known: string) => `${known}.counted_at > now() - interval '10 seconds'`;

/**
 * The senders of leased rows, each with one count of what it has sent. `offset 0` makes PostgreSQL count once per sender and not
 * per row.
 */
export const fullAccounts = ({ maxPerAccount }: SendingRules): string => `(
  select sender.*, case when not exists (
      select from account_rooms known
      where known.send_from_user_id = sender.send_from_user_id and known.type = sender.type and known.room > 0
        and ${isCountedNow('known')}
    ) then ${fullSince('send_from_user_id', 'sender', maxPerAccount)} end as account_full_since
  from (select distinct send_from_user_id, type from leased offset 0) sender
  offset 0
) account`;

const countOf = (column: Limited, row: string, limit: string) => `(
  select count(*) from (
    select from ${limited[column].table} sent
    where sent.${column} = ${row}.${column} and sent.type = ${row}.type and ${limited[column].isSent} limit ${limit}
  ) counted
)`;

/** The rows that are about to be sent, numbered for each contact, number and account. */
const wantedRows = `wanted_rows as materialized (
  select t.id, t.contact_id, t.send_from_user_id, t.type, wanted.sent_to,
    ${isCounted('t')} as is_counted,
    count(*) filter (where not ${isCounted('t')}) over (partition by t.contact_id, t.type order by t.id) as nth_of_contact,
    count(*) filter (where not ${isCounted('t')}) over (partition by wanted.sent_to, t.type order by t.id) as nth_of_number,
    row_number() over (partition by t.send_from_user_id, t.type order by t.id) as nth_of_account,
    row_number() over (
      partition by t.campaign_id, wanted.sent_to, wanted.sent_digest order by t.id
    ) > 1 and wanted.sent_digest is not null as is_repeated
  -- With t.id alone, rows would be looked up one by one, and each would sort the array again.
  from wanted join communications t on t.id + 0 = wanted.id and t.id = any(array(select id from wanted))
)`;

/**
 * Whether the limits of wanted rows are not reached, counting what is being sent and the earlier rows of the same statement. If
 * such an earlier row has another obstacle, a later one waits needlessly, and is checked again.
 */
export const accountSpendings = ({ maxPerContact, maxPerAccount }: SendingRules): string => `
  ${wantedRows},
  -- How much each account may still send: as counted just now, or counted again.
  accounts as materialized (
    select sender.*, coalesce(known.counted_at, now()) as counted_at,
      coalesce(known.room, ${limitOf('sender', maxPerAccount)} -
        ${countOf('send_from_user_id', 'sender', limitOf('sender', maxPerAccount))}) as allowance
    from (
      select send_from_user_id, type, count(*) as wanted from wanted_rows where ${hasLimit('wanted_rows')} group by 1, 2
    ) sender
    left join account_rooms known on known.send_from_user_id = sender.send_from_user_id and known.type = sender.type
      and known.room >= sender.wanted and ${isCountedNow('known')}
  ),
  -- How much of it is left for the next statement.
  written_rooms as (
    -- Those who share an account come here one after the other.
    insert into account_rooms (send_from_user_id, type, room, counted_at)
    select send_from_user_id, type, greatest(allowance - wanted, 0), counted_at from accounts
    on conflict (send_from_user_id, type) do update set room = excluded.room, counted_at = excluded.counted_at
  ),
  -- Which of them are above a limit, or repeat another of them.
  spendings as materialized (
    select wanted_rows.id, wanted_rows.type, wanted_rows.sent_to, wanted_rows.is_repeated or ${hasLimit('wanted_rows')} and (
        wanted_rows.nth_of_account > accounts.allowance
        or not wanted_rows.is_counted and wanted_rows.nth_of_contact + ${countOf('contact_id', 'wanted_rows', limitOf('wanted_rows', maxPerContact))}
          > ${limitOf('wanted_rows', maxPerContact)}
      ) as is_full,
      wanted_rows.type = 'Text Contact' and not wanted_rows.is_counted and wanted_rows.nth_of_number
        + ${countOf('sent_to', 'wanted_rows', String(maxPerContact.texts))} > ${maxPerContact.texts} as is_number_full
    from wanted_rows left join accounts using (send_from_user_id, type)
  )`;

/**
 * Until when a number gets no more texts, in milliseconds since 1970; null while only other rows of the statement fill its limit.
 */
export const numberFullUntil = ({ maxPerContact }: SendingRules): string =>
  `case when spendings.is_number_full then ${fullSince('sent_to', 'spendings', maxPerContact)} + ${24 * 3_600_000} end`;

/** Whether the campaign has already sent the same text to the same number. */
export const isRepeated = `wanted.sent_digest is not null and not ${isCounted('t')} and exists (
  select from sendings sent
  where sent.sent_to = wanted.sent_to and sent.sent_digest = wanted.sent_digest
    and sent.campaign_id = t.campaign_id and ${isSentToOne}
)`;

/** Milliseconds since 1970, with PostgreSQL's fraction. Rounded up, so that nothing is sent too early. */
export const instantInMs = z
  .number()
  .transform((ms) => Temporal.Instant.fromEpochMilliseconds(Math.ceil(ms)));

const Sending = z.object({
  /** Whether it went to the contact itself; another contact may have the same number. */
  is_own: z.boolean(),
  type: z.enum(communicationTypes),
  at: instantInMs,
  /** The digest of a text. */
  digest: z.string().nullable(),
  to: z.string(),
});

/** A message that was sent to a contact or its number, or that would be. */
export type Sending = z.output<typeof Sending>;

/** Messages that were sent to a contact and to a number within a day, with the texts of a campaign. */
export function recentSendings(
  query: Query,
  contactId: number,
  number: string | null,
  campaignId: number,
): Promise<Sending[]> {
  const columns = `type, extract(epoch from ${begunAt})::float8 * 1000 as at, sent_to as to,
    case when campaign_id = $2::int then sent_digest end as digest`;
  return queryRows(
    query,
    Sending,
    `select true as is_own, ${columns}
     from ${limited.contact_id.table} sent where contact_id = $1::int and ${limited.contact_id.isSent}
     union all
     select false, ${columns}
     from ${limited.sent_to.table} sent where sent_to = $3::text and contact_id <> $1::int and ${limited.sent_to.isSent}`,
    [contactId, campaignId, number],
  );
}
