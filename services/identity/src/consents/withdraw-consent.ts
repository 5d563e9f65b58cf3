import { notFound } from '@crm/contract';
import { consentWithdrawn } from '@crm/events';
import { removalOf } from '@crm/messaging';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { revokeFamilies } from '../token-families/revoke-family.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { endTokensReadWith } from '../tokens/end-sub-account-tokens.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import { Consent } from './consent.entity.ts';
import { eventData } from './consent-event-data.ts';

/**
 * Withdraws the consent of a user and revokes all tokens that the application has for this user or, of a broker, may have
 * read. Throws NotFound when the user has not connected the application.
 */
export async function withdrawConsent(ctx: Context, userId: number, applicationId: number): Promise<void> {
  const whose = { user_id: userId, application_id: applicationId };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const consent = await ctx.em.findOne(Consent, whose, { lockMode });
  if (!consent) throw notFound({ message: 'This application is not connected.' });
  remove(ctx, consent);
  await revokeFamilies(ctx, whose);
  await endTokensReadWith(ctx, consent);
  const ownTokens = { ...whose, family_id: null, revoked_at: null };
  for (const token of await ctx.em.find(AccessToken, ownTokens, { lockMode, orderBy: { id: 1 } })) {
    await revokeAccessToken(ctx, token);
  }
}

/** Ends all consents of a user, whose tokens the caller revokes: an application that has one would get new tokens unasked. */
export async function removeConsents(ctx: Context, user_id: number): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  for (const consent of await ctx.em.find(Consent, { user_id }, { lockMode, orderBy: { id: 1 } }))
    remove(ctx, consent);
}

function remove(ctx: Context, consent: Consent): void {
  ctx.em.remove(consent);
  publishFor(ctx, consent.user_id, consentWithdrawn, removalOf(consent), eventData(consent));
}
