import { auditAs } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import { User } from '../users/user.entity.ts';
import { TokenFamily } from './token-family.entity.ts';

/** The family with an id, if it belongs to the application, is not revoked, and its user is not disabled. */
export async function liveFamily(
  { em }: Context,
  { id: application_id }: Application,
  id: number,
): Promise<TokenFamily | undefined> {
  const family = await em.findOne(TokenFamily, { id, application_id, revoked_at: null });
  if (!family) return undefined;
  const user = await em.findOne(User, { id: family.user_id, disabled_at: null });
  if (!user) return undefined;
  auditAs(em, { userId: user.id });
  return family;
}
