import { readModel } from '@crm/data';
import { UserView } from './user.api.ts';

export const userRows = readModel(UserView, {
  table: 'users',
  visible: ({ id }) => ({ id }),
  special: {
    email: {
      equals: (values, binds) =>
        `lower(users.email) = any(array(select lower(v) from unnest(${binds.add(values)}::text[]) v))`,
    },
  },
});
