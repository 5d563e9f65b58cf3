import { noRecord } from '@crm/contract';
import { applicationChanged, applicationRemoved } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { publishFor } from '../publish-for.ts';
import { endTokensReadBy } from '../tokens/end-sub-account-tokens.ts';
import { type ApplicationChanges, hasNoSecret } from './application.api.ts';
import { Application } from './application.entity.ts';
import { eventData } from './application-event-data.ts';
import { addSecret, endSecrets } from './application-secret.ts';
import type { ApplicationWithItsSecret } from './create-application.ts';

interface Which {
  readonly id: number;
  /** Limits the search to applications of this owner, if given. */
  readonly owner_user_id?: number;
}

/** Locks an application until the transaction ends. Throws NotFound. */
async function lockApplication({ em }: Context, which: Which): Promise<Application> {
  const present = { ...which, removed_at: null };
  const application = await em.findOne(Application, present, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!application) throw noRecord(which.id);
  return application;
}

export async function changeApplication(
  ctx: Context,
  which: Which,
  changes: z.output<typeof ApplicationChanges> & Partial<Pick<Application, 'disabled_at'>>,
): Promise<Application> {
  const application = await lockApplication(ctx, which);
  ctx.em.assign(application, { ...changes });
  await finishChange(ctx, application);
  if (changes.disabled_at) await endTokensReadBy(ctx, [application.id]);
  return application;
}

/**
 * Creates a new secret. The previous one stays valid for 24 hours, or ends at once. Throws BadRequest for a public
 * application.
 */
export async function rotateSecret(
  ctx: Context,
  which: Which,
  atOnce: boolean,
): Promise<ApplicationWithItsSecret> {
  const application = await lockApplication(ctx, which);
  if (application.is_public) throw hasNoSecret();
  await endSecrets(ctx, application, atOnce);
  const client_secret = addSecret(ctx, application);
  await finishChange(ctx, application);
  return { application, client_secret };
}

async function finishChange(ctx: Context, application: Application) {
  application.modified_at = ctx.now();
  await ctx.em.flush();
  publishFor(ctx, application.owner_user_id, applicationChanged, application, eventData(application));
}

/**
 * Removes an application. Its consents, codes and tokens are invalid at once, and a worker deletes them later. Returns
 * the application.
 */
export async function removeApplication(ctx: Context, which: Which): Promise<Application> {
  const application = await lockApplication(ctx, which);
  const removed = { ...application };
  application.removed_at = ctx.now();
  application.disabled_at ??= ctx.now();
  await ctx.em.flush();
  await endTokensReadBy(ctx, [application.id]);
  publishFor(ctx, application.owner_user_id, applicationRemoved, application, eventData(application));
  return removed;
}
