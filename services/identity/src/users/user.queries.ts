import { arrayOf, JsonText, type Query, type ReadModel, readModel } from '@crm/data';
import type { Column } from '@crm/query';
import { AccountView, PersonView, UserView } from './user.api.ts';
import { visibleUsers } from './user.policy.ts';

const isActive = '(users.disabled_at is null)';

const shape = {
  table: 'users',
  visible: visibleUsers,
  special: {
    email: {
      equals: (values, binds) =>
        `lower(users.email) = any(array(select lower(v) from unnest(${binds.add(values)}::text[]) v))`,
    },
    is_active: { sql: isActive },
  },
  hidden: { disabled_at: { kind: 'instant', sql: 'users.disabled_at' } },
} satisfies Omit<Parameters<typeof readModel>[1], 'nested'>;

export const userRows = readModel(UserView, {
  ...shape,
  // A shipped client takes the first of the list for the owner of its token.
  first: ({ id }) => ({ id }),
  // The zone: the offset is reckoned where it is shown, because only Node's zone rules count.
  nested: { timezone_offset: 'users.timezone' },
});

/** Whether a user holds a token of an application that works now. */
const holdsTokenOf: Column = {
  kind: 'integer',
  sql: 'users.id',
  equals: (applications, binds) => `users.id in (
    select t.user_id from access_tokens t left join token_families f on f.id = t.family_id
    where t.application_id = any(${binds.add(applications)}::int[])
    and t.revoked_at is null and f.revoked_at is null and t.expires_at > now())`,
};

/** The users who hold a token of an application, whoever they are. */
export function userRowsOfApplication(id: number): ReadModel {
  return {
    ...userRows,
    columns: { ...userRows.columns, holds_token_of: holdsTokenOf },
    visible: () => ({ disabled_at: null, holds_token_of: id }),
  };
}

export const accountRows = readModel(AccountView, { ...shape, nested: { is_active: isActive } });

const personRows = readModel(PersonView, { ...shape, nested: { is_active: isActive } });

/** Those of the ids that there are, as a JSON array in the order of ids. */
export async function personsByIds(query: Query, ids: readonly number[]): Promise<JsonText> {
  const persons = arrayOf(personRows, 'users.id = any($1::int[])');
  const [row] = await query(`select ${persons}::text as body`, [ids]);
  return new JsonText(String(row?.body));
}
