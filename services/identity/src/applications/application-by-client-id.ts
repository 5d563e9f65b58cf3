import type { Context } from '@crm/service';
import { User } from '../users/user.entity.ts';
import { Application } from './application.entity.ts';

/** The application with a client id, unless it or its owner is disabled. */
export async function applicationByClientId(
  { em }: Pick<Context, 'em'>,
  clientId: string | undefined,
): Promise<Application | null> {
  // A client can send text that the database rejects, such as a NUL character.
  if (clientId === undefined || !/^[0-9a-f]{32}$/.test(clientId)) return null;
  const application = await em.findOne(Application, { client_id: clientId, disabled_at: null });
  const owner = application && (await em.findOne(User, { id: application.owner_user_id, disabled_at: null }));
  return owner ? application : null;
}
