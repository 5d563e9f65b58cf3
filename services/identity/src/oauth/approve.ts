import { hashOfToken, newAccessToken, newSecret } from '@crm/auth';
import { consentGiven } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { userToActFor } from '../users/user-named.ts';
import { after } from './after.ts';
import { AuthorizationCode } from './authorization-code.entity.ts';
import { type AuthorizationRequest, answerLocation, errorLocation } from './authorization-request.ts';
import { Consent } from './consent.entity.ts';
import { ensureConsent } from './consent.queries.ts';
import { eventData } from './consent-event-data.ts';
import { databaseTime } from './database-time.queries.ts';
import { addAccessToken, familyLifeSeconds } from './issue-tokens.ts';
import { publishFor } from './publish-for.ts';
import { covers, scopesIn } from './scope.ts';
import { TokenFamily } from './token-family.entity.ts';

const codeLifeSeconds = 60;
/** 30 days. */
const implicitLifeSeconds = 2_592_000;

/** Whether the user must be asked: always, where anyone could pretend to be the application. */
export async function needsConsent(
  { em }: Context,
  { application, response_type, scopes }: AuthorizationRequest,
  userId: number,
): Promise<boolean> {
  if (application.is_public || response_type === 'token') return true;
  const consent = await em.findOne(Consent, { user_id: userId, application_id: application.id });
  return !consent || !covers(scopesIn(consent.scope), scopes);
}

/** Remembers that the user lets the application act, and answers the redirect that tells the application. */
export async function approve(ctx: Context, request: AuthorizationRequest, userId: number): Promise<string> {
  const at = await databaseTime(ctx.query);
  await userToActFor(ctx, userId);
  await giveConsent(ctx, request, userId, at);
  const family = ctx.em.create(TokenFamily, {
    application_id: request.application.id,
    user_id: userId,
    scope: request.scopes.join(' '),
    created_at: at,
    ends_at: after(at, familyLifeSeconds),
  });
  await ctx.em.flush();
  return request.response_type === 'token'
    ? tokenLocation(ctx, request, family, at)
    : codeLocation(ctx, request, family, at);
}

/** The redirect that tells the application that the user does not want it. */
export function deny(request: AuthorizationRequest): string {
  return errorLocation(request, 'access_denied', 'The user did not allow it');
}

/** What was allowed before stays allowed. */
async function giveConsent(
  ctx: Context,
  { application, scopes }: AuthorizationRequest,
  userId: number,
  at: Date,
) {
  const which = { user_id: userId, application_id: application.id };
  await ensureConsent(ctx.query, {
    userId,
    applicationId: application.id,
    scope: scopes.join(' '),
    at,
  });
  const consent = await ctx.em.findOneOrFail(Consent, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  consent.scope = [...new Set([...scopesIn(consent.scope), ...scopes])].join(' ');
  consent.modified_at = at;
  await ctx.em.flush();
  publishFor(ctx, userId, consentGiven, consent, eventData(consent));
}

function codeLocation({ em }: Context, request: AuthorizationRequest, family: TokenFamily, at: Date): string {
  const code = newSecret('crm_ac_');
  em.persist(
    em.create(AuthorizationCode, {
      code_hash: hashOfToken(code),
      family_id: family.id,
      redirect_uri: request.redirect_uri,
      code_challenge: request.code_challenge ?? null,
      expires_at: after(at, codeLifeSeconds),
    }),
  );
  return answerLocation(request, { code });
}

function tokenLocation(ctx: Context, request: AuthorizationRequest, family: TokenFamily, at: Date): string {
  const { application, scopes } = request;
  const secret = newAccessToken();
  const life = { at, seconds: implicitLifeSeconds };
  const token = addAccessToken(ctx, family, { secret, name: application.name, scopes, ...life });
  return answerLocation(request, {
    access_token: secret,
    expires: token.expires_at.toISOString(),
    expires_in: String(implicitLifeSeconds),
    scope: token.scope,
    token_type: 'Bearer',
  });
}
