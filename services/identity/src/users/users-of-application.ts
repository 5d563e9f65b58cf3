import { forbidden } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import { applicationOfAnother } from './user.api.ts';
import { ownerOfApplication, userRows, userRowsOfApplication } from './user.queries.ts';

/**
 * The users that a caller sees: those the caller works with or, with a client id, those who have a valid token of that
 * application of the caller. An application that does not exist is refused with 403, and one of another user with 401.
 */
export async function usersOf(ctx: Context, clientId: string | undefined): Promise<ReadModel> {
  if (clientId === undefined) return userRows;
  const application = await ownerOfApplication(ctx.query, clientId);
  if (!application) throw forbidden({ message: 'An application with this client id does not exist.' });
  if (application.owner_user_id !== ctx.user.id) throw applicationOfAnother();
  return userRowsOfApplication(application.id);
}
