import { arrayOf, JsonText, type Query, queryFirst, type ReadModel, readModel } from '@crm/data';
import { toE164 } from '@crm/delivery';
import { type Column, inAnyCase } from '@crm/query';
import { z } from 'zod';
import {
  isEmailUnreachable,
  isPhoneUnreachable,
} from '../unreachable-addresses/unreachable-address.queries.ts';
import { isValidToken } from '../valid-token.queries.ts';
import { PersonView, UserView } from './user.api.ts';
import { visibleUsers } from './user.policy.ts';

export const isActive = '(users.disabled_at is null)';

/** Users sign in with their e-mail addresses. */
export const username = 'coalesce(users.username, users.email)';

/** A SQL condition: the user may act for sub-accounts. `user` is an alias of the table. */
export const isActiveBroker = (user: string) => `(${user}.is_broker and ${user}.disabled_at is null)`;

/** SQL for the display name of a user: the name, or the e-mail address of a user without one. */
export const nameOf = (user: string) =>
  `coalesce(nullif(concat_ws(' ', ${user}.first_name, ${user}.last_name), ''), ${user}.email)`;

/** Finds a phone number, which is stored in E.164, in any notation. */
export const phoneEquals =
  (sql: string): Column['equals'] =>
  (values, binds) =>
    `${sql} = any(${binds.add(values.map((value) => toE164(String(value)) ?? value))}::text[])`;

/** The common part of the read models of users. */
export const userTable = {
  table: 'users',
  visible: visibleUsers,
  special: {
    email: { equals: inAnyCase('users.email') },
    phone: { equals: phoneEquals('users.phone') },
    is_active: { sql: isActive },
    username: { sql: username },
  },
  hidden: { disabled_at: { kind: 'instant', sql: 'users.disabled_at' } },
} satisfies Omit<Parameters<typeof readModel>[1], 'nested'>;

export const userRows = readModel(UserView, {
  ...userTable,
  // A published client assumes that the first user of the list is the owner of its token.
  first: ({ id }) => ({ id }),
  // The time zone, from which the handler computes the offset: the time zone data of Node is the only one used.
  nested: { timezone_offset: 'users.timezone', username },
});

/** A column to find users with a valid token of an application. */
const hasTokenOf: Column = {
  kind: 'integer',
  sql: 'users.id',
  equals: (applications, binds) => `users.id in (
    select t.user_id from access_tokens t left join token_families f on f.id = t.family_id
    where t.application_id = any(${binds.add(applications)}::int[])
    and ${isValidToken('t')} and f.revoked_at is null)`,
};

/** The users who have a valid token of an application, whoever they are. */
export function userRowsOfApplication(id: number): ReadModel {
  return {
    ...userRows,
    columns: { ...userRows.columns, has_token_of: hasTokenOf },
    visible: () => ({ disabled_at: null, has_token_of: id }),
  };
}

const personRows = readModel(PersonView, {
  ...userTable,
  nested: {
    is_active: isActive,
    is_email_unreachable: isEmailUnreachable,
    is_phone_unreachable: isPhoneUnreachable,
  },
});

const ApplicationOwner = z.object({ id: z.int(), owner_user_id: z.int() });

/** The application with a client id and its owner, unless it is disabled. */
export function ownerOfApplication(query: Query, clientId: string) {
  return queryFirst(
    query,
    ApplicationOwner,
    'select id, owner_user_id from applications where client_id = $1 and disabled_at is null',
    [clientId],
  );
}

/** The users with these ids that exist, as a JSON array in the order of ids. */
export async function personsByIds(query: Query, ids: readonly number[]): Promise<JsonText> {
  const persons = arrayOf(personRows, 'users.id = any($1::int[])');
  const [row] = await query(`select ${persons}::text as body`, [ids]);
  return new JsonText(String(row?.body));
}
