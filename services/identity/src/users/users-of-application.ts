import { forbidden } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import { applicationOfAnother } from './user.api.ts';
import { ownerOfApplication, userRows, userRowsOfApplication } from './user.queries.ts';

/**
 * The users that a caller sees: those the caller works with, or those who have a valid token of an application of the
 * caller. Refuses with 403 an application that does not exist, and with 401 one of another user.
 */
export async function usersOf(ctx: Context, clientId: string | undefined): Promise<ReadModel> {
  if (clientId === undefined) return userRows;
  const application = await ownerOfApplication(ctx.query, clientId);
  if (!application) throw forbidden({ message: 'An application with this client id does not exist.' });
  if (application.owner_user_id !== ctx.user.id) throw applicationOfAnother();
  return userRowsOfApplication(application.id);
}
