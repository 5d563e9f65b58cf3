import { forbidden, refusal } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import { applicationByClientId } from '../applications/application-by-client-id.ts';
import { userRows, userRowsOfApplication } from './user.queries.ts';

const notYours = refusal('NotAuthenticated', 'This application belongs to somebody else.');

/** For one user, asked for by an application, who is not among its users. */
export const withoutToken = refusal('NotAuthenticated', 'This user has no valid token of the application.');

/**
 * The users that someone sees: the people one works with, or those who hold a token of an application of one's
 * own. Refuses with 403 an application that does not exist, and with 401 one of somebody else.
 */
export async function usersOf(ctx: Context, clientId: string | undefined): Promise<ReadModel> {
  if (clientId === undefined) return userRows;
  const application = await applicationByClientId(ctx, clientId);
  if (!application) throw forbidden({ message: 'There is no application with this client id.' });
  if (application.owner_user_id !== ctx.user.id) throw notYours();
  return userRowsOfApplication(application.id);
}
