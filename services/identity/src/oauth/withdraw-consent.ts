import { notFound } from '@crm/contract';
import { consentWithdrawn } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import { Consent } from './consent.entity.ts';
import { eventData } from './consent-event-data.ts';
import { publishRemovalFor } from './publish-for.ts';
import { revokeFamilies } from './revoke-family.ts';

/**
 * Takes back what a user let an application do: all tokens it has for this user are refused from now on.
 * Throws NotFound when the user lets it do nothing.
 */
export async function withdrawConsent(ctx: Context, userId: number, applicationId: number): Promise<void> {
  const whose = { user_id: userId, application_id: applicationId };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const consent = await ctx.em.findOne(Consent, whose, { lockMode });
  if (!consent) throw notFound({ message: 'This application is not connected.' });
  ctx.em.remove(consent);
  publishRemovalFor(ctx, userId, consentWithdrawn, consent, eventData(consent));
  await revokeFamilies(ctx, whose);
  const ownTokens = { ...whose, family_id: null, revoked_at: null };
  for (const token of await ctx.em.find(AccessToken, ownTokens, { lockMode, orderBy: { id: 1 } })) {
    await revokeAccessToken(ctx, token);
  }
}
