import { objectOf, readModel } from '@crm/data';
import { userRows } from '../users/user.queries.ts';
import { SubAccountView } from './sub-account.api.ts';
import { visibleSubAccounts } from './sub-account.policy.ts';

export const subAccountRows = readModel(SubAccountView, {
  table: 'sub_accounts',
  visible: visibleSubAccounts,
  nested: {
    // The handler derives the token from the generation; the database does not contain the token.
    access_token: 'sub_accounts.generation',
    user: objectOf(userRows, 'users.id = sub_accounts.user_id', Object.keys(SubAccountView.shape.user.shape)),
  },
  hidden: { broker_user_id: { kind: 'integer', sql: 'sub_accounts.broker_user_id' } },
});
