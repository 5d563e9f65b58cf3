import { hashOfToken, newSecret } from '@crm/auth';
import type { Context } from '@crm/service';
import { after } from '../after.ts';
import { databaseTime } from '../database-time.queries.ts';
import type { Application } from './application.entity.ts';
import { ApplicationSecret } from './application-secret.entity.ts';

/** How long the previous secret stays valid. */
const overlapSeconds = 86_400;

export function addSecret({ em, now }: Context, { id }: Application): string {
  const secret = newSecret('clientSecret');
  const secret_hash = hashOfToken(secret);
  em.persist(em.create(ApplicationSecret, { application_id: id, secret_hash, created_at: now() }));
  return secret;
}

/** Ends the current secret in 24 hours or at once, and older ones now, so that at most two are ever valid. */
export async function endSecrets(ctx: Context, { id }: Application, atOnce: boolean): Promise<void> {
  const at = await databaseTime(ctx.query);
  for (const secret of await ctx.em.find(ApplicationSecret, { application_id: id })) {
    const isCurrent = secret.ends_at === null || secret.ends_at === undefined;
    if (isCurrent && !atOnce) secret.ends_at = after(at, overlapSeconds);
    else ctx.em.remove(secret);
  }
}

/** Returns true for a valid secret of the application. It compares hashes, so the time it takes reveals nothing. */
export async function isSecretOf(ctx: Context, { id }: Application, secret: string): Promise<boolean> {
  const secret_hash = hashOfToken(secret);
  const found = await ctx.em.findOne(ApplicationSecret, { application_id: id, secret_hash });
  if (!found) return false;
  return !found.ends_at || found.ends_at > (await databaseTime(ctx.query));
}
