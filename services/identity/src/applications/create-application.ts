import { randomBytes } from 'node:crypto';
import { applicationCreated } from '@crm/events';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { publishFor } from '../publish-for.ts';
import type { ApplicationDraft } from './application.api.ts';
import { Application } from './application.entity.ts';
import { eventData } from './application-event-data.ts';
import { addSecret } from './application-secret.ts';

export interface ApplicationWithItsSecret {
  readonly application: Application;
  /** Shown only once; null for a public application. */
  readonly client_secret: string | null;
}

export async function createApplication(
  ctx: Context,
  ownerId: number,
  draft: z.output<typeof ApplicationDraft>,
): Promise<ApplicationWithItsSecret> {
  const application = ctx.em.create(Application, {
    ...draft,
    owner_user_id: ownerId,
    client_id: randomBytes(16).toString('hex'),
    created_at: ctx.now(),
    modified_at: ctx.now(),
  });
  await ctx.em.flush();
  publishFor(ctx, ownerId, applicationCreated, application, eventData(application));
  return { application, client_secret: draft.is_public ? null : addSecret(ctx, application) };
}
