import { consentGiven } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { covers, type Scope, scopesIn } from '../tokens/scope.ts';
import { Consent } from './consent.entity.ts';
import { ensureConsent } from './consent.queries.ts';
import { eventData } from './consent-event-data.ts';

interface ConsentRequest {
  readonly userId: number;
  readonly applicationId: number;
  readonly scopes: readonly Scope[];
}

/** Returns true if a user has already allowed an application all of these scopes. */
export async function hasConsented(
  { em }: Context,
  { userId, applicationId, scopes }: ConsentRequest,
): Promise<boolean> {
  const consent = await em.findOne(Consent, { user_id: userId, application_id: applicationId });
  return consent !== null && covers(scopesIn(consent.scope), scopes);
}

/** Stores the scopes that a user allows an application. Scopes allowed before stay allowed. */
export async function giveConsent(
  ctx: Context,
  { userId, applicationId, scopes, at }: ConsentRequest & { readonly at: Date },
): Promise<void> {
  await ensureConsent(ctx.query, { userId, applicationId, scope: scopes.join(' '), at });
  const which = { user_id: userId, application_id: applicationId };
  const consent = await ctx.em.findOneOrFail(Consent, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  consent.scope = [...new Set([...scopesIn(consent.scope), ...scopes])].join(' ');
  consent.modified_at = at;
  await ctx.em.flush();
  publishFor(ctx, userId, consentGiven, consent, eventData(consent));
}
