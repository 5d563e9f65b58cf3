import { randomUUID } from 'node:crypto';
import { type Query, storedDate } from '@crm/data';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { causeText } from '@crm/service';
import { z } from 'zod';
import { nameOf } from '../users/user.queries.ts';
import { eventKinds } from './security-event.queries.ts';

/** Adds the e-mail about an event. */
export async function addMail(query: Query, eventId: number, key: string = randomUUID()): Promise<void> {
  const values = [eventId, key, causeText()];
  await query('insert into account_mails (event_id, key, cause) values ($1, $2, $3::jsonb)', values);
}

export const DueMail = DueRow.extend({
  kind: z.enum(eventKinds),
  happened_at: storedDate,
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  timezone: z.string(),
  application: z.string().nullable(),
  broker: z.string().nullable(),
  team: z.string().nullable(),
  team_creator: z.string().nullable(),
});

/** A leased e-mail with its event, as read when the e-mail was leased. */
export type DueMail = Readonly<z.output<typeof DueMail>>;

export const mailTable: DispatchTable = {
  ...usualNames,
  name: 'account_mails',
  lane: 'channel',
};

// `name` may be empty, because an e-mail does not greet anybody by an address.
export const dueMailSelect = `
  select ${dueColumns('due_at')}, e.kind, e.happened_at, e.address, e.user_agent, u.email, u.timezone,
    concat_ws(' ', u.first_name, u.last_name) as name, a.name as application,
    ${nameOf('b')} as broker, team.name as team,
    ${nameOf('c')} as team_creator
  from leased join security_events e on e.id = leased.event_id join users u on u.id = e.user_id
  left join applications a on a.id = e.application_id
  left join delegations d on d.id = e.delegation_id left join users b on b.id = d.broker_user_id
  left join team_members m on m.id = e.team_member_id left join teams team on team.id = m.team_id
  left join users c on c.id = team.creator_user_id
  order by leased.due_at, leased.id`;

/** How long a link to choose a new password works. */
export const resetMinutes = 30;

/** How long the link of an invitation works. */
export const invitationDays = 7;

export const mailCheck: FinalCheck = {
  joins: 'join security_events e on e.id = t.event_id join users u on u.id = e.user_id',
  obstacles: [
    { when: 'u.disabled_at is not null', state: 'Dropped', reason: 'The account is disabled.' },
    {
      when: `e.kind = 'password reset requested' and t.due_at < now() - interval '${resetMinutes} minutes'`,
      state: 'Failed',
      reason: 'It is too late.',
    },
    {
      when: `e.kind in ('invited', 'password reset requested') and not exists (
        select from password_resets r where r.user_id = e.user_id and r.expires_at > now())`,
      state: 'Dropped',
      reason: 'Its link has expired, or a password was chosen meanwhile.',
    },
    {
      when: `e.kind = 'invited to a team' and not exists (
        select from team_members m where m.id = e.team_member_id and m.request_status = 'Pending')`,
      state: 'Dropped',
      reason: 'The invitation was answered or withdrawn.',
    },
  ],
};

/** Deletes old e-mails that are no longer to be sent. */
export async function forgetOldMails(query: Query): Promise<void> {
  await query(
    `delete from account_mails where id = any(array(
       select id from account_mails where state in ('Done', 'Failed', 'Dropped', 'Unknown') and due_at < now() - interval '30 days'
       order by id limit 1000))`,
    [],
  );
}
