import { forbidden, refusal } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import { ownerOfApplication, userRows, userRowsOfApplication } from './user.queries.ts';

const notYours = refusal('NotAuthenticated', 'This application belongs to another user.');

/** For a single user who is not a user of the application. */
export const withoutToken = refusal('NotAuthenticated', 'This user has no valid token of the application.');

/**
 * The users that a caller sees: those the caller works with, or those who have a valid token of an application of the
 * caller. Refuses with 403 an application that does not exist, and with 401 one of another user.
 */
export async function usersOf(ctx: Context, clientId: string | undefined): Promise<ReadModel> {
  if (clientId === undefined) return userRows;
  const application = await ownerOfApplication(ctx.query, clientId);
  if (!application) throw forbidden({ message: 'An application with this client id does not exist.' });
  if (application.owner_user_id !== ctx.user.id) throw notYours();
  return userRowsOfApplication(application.id);
}
