import { readModel } from '@crm/data';
import { isActive, username, userTable } from '../users/user.queries.ts';
import { AccountView } from './account.api.ts';

export const accountRows = readModel(AccountView, {
  ...userTable,
  nested: { is_active: isActive, username },
});
