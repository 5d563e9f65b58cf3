import type { Client } from '@crm/client';
import { notFound } from '@crm/contract';
import type { identityApi } from '@crm/identity/api';
import { idOr } from '../system/id-or.ts';

/** The user with this id or e-mail address. */
export async function findUser(identity: Client<typeof identityApi>, named: string) {
  const which = idOr(named);
  const query = typeof which === 'number' ? { id: which } : { email: which };
  const { data } = await identity.users.search(query);
  if (data[0]) return data[0];
  throw notFound({ message: `No user has the id or e-mail address "${named}".` });
}
