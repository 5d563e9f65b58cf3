import { noRecord } from '@crm/contract';
import { applicationChanged, applicationRemoved } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { publishFor, publishRemovalFor } from '../oauth/publish-for.ts';
import { type ApplicationChanges, hasNoSecret } from './application.api.ts';
import { Application } from './application.entity.ts';
import { eventData } from './application-event-data.ts';
import { addSecret, endSecrets } from './application-secret.ts';
import type { Secretive } from './create-application.ts';

interface Which {
  readonly id: number;
  /** Others than this owner's are not found; without one, everybody's are. */
  readonly owner_user_id?: number;
}

/** Keeps others from changing it until the transaction ends. Throws NotFound. */
async function applicationForChange({ em }: Context, which: Which): Promise<Application> {
  const application = await em.findOne(Application, { ...which }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!application) throw noRecord(which.id);
  return application;
}

export async function changeApplication(
  ctx: Context,
  which: Which,
  changes: z.output<typeof ApplicationChanges> & Partial<Pick<Application, 'disabled_at'>>,
): Promise<Application> {
  const application = await applicationForChange(ctx, which);
  ctx.em.assign(application, { ...changes });
  await settleChange(ctx, application);
  return application;
}

/** A new secret; the one before works for another day, or no more. Throws BadRequest for a public application. */
export async function rotateSecret(ctx: Context, which: Which, atOnce: boolean): Promise<Secretive> {
  const application = await applicationForChange(ctx, which);
  if (application.is_public) throw hasNoSecret();
  await endSecrets(ctx, application, atOnce);
  const client_secret = addSecret(ctx, application);
  await settleChange(ctx, application);
  return { application, client_secret };
}

async function settleChange(ctx: Context, application: Application) {
  application.modified_at = ctx.now();
  await ctx.em.flush();
  publishFor(ctx, application.owner_user_id, applicationChanged, application, eventData(application));
}

/** Its consents, codes and tokens go with it. */
export async function removeApplication(ctx: Context, which: Which): Promise<Application> {
  const application = await applicationForChange(ctx, which);
  ctx.em.remove(application);
  publishRemovalFor(ctx, application.owner_user_id, applicationRemoved, application, eventData(application));
  return application;
}
