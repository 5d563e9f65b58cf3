import type { Context } from '@crm/service';
import { Application } from './application.entity.ts';

/** The application that calls itself so, unless it is disabled. */
export async function applicationByClientId(
  { em }: Pick<Context, 'em'>,
  clientId: string | undefined,
): Promise<Application | null> {
  // Not every text a client can send is one that the database can look for.
  if (clientId === undefined || !/^[0-9a-f]{32}$/.test(clientId)) return null;
  return em.findOne(Application, { client_id: clientId, disabled_at: null });
}
