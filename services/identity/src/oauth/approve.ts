import { hashOfToken, newAccessToken, newSecret } from '@crm/auth';
import type { Context } from '@crm/service';
import { after } from '../after.ts';
import { giveConsent, hasConsented } from '../consents/give-consent.ts';
import { databaseTime } from '../database-time.queries.ts';
import { noteEvent } from '../security-events/note-event.ts';
import type { Origin } from '../security-events/security-event.queries.ts';
import { addAccessToken, openFamily } from '../token-families/issue-tokens.ts';
import type { TokenFamily } from '../token-families/token-family.entity.ts';
import { lockActiveUser } from '../users/user-named.ts';
import { AuthorizationCode } from './authorization-code.entity.ts';
import { type AuthorizationRequest, errorLocation, responseLocation } from './authorization-request.ts';

const codeLifeSeconds = 60;
/** 30 days. */
const implicitLifeSeconds = 2_592_000;

/** Decides if the user must be asked: always if anyone could impersonate the application. */
export async function needsConsent(
  ctx: Context,
  { application, response_type, scopes }: AuthorizationRequest,
  userId: number,
): Promise<boolean> {
  if (application.is_public || response_type === 'token') return true;
  return !(await hasConsented(ctx, { userId, applicationId: application.id, scopes }));
}

/** Records that the user allows the application to act. Returns the redirect that tells the application. */
export async function approve(
  ctx: Context,
  request: AuthorizationRequest,
  userId: number,
  origin: Origin,
): Promise<string> {
  const at = await databaseTime(ctx.query);
  await lockActiveUser(ctx, userId);
  const applicationId = request.application.id;
  const approval = { userId, applicationId, scopes: request.scopes, at };
  if (!(await hasConsented(ctx, approval)))
    await noteEvent(ctx.query, { userId, kind: 'application allowed', origin, applicationId });
  await giveConsent(ctx, approval);
  const family = await openFamily(ctx, approval);
  return request.response_type === 'token'
    ? tokenLocation(ctx, request, family, at)
    : codeLocation(ctx, request, family, at);
}

/** The redirect that tells the application that the user denied the request. */
export function deny(request: AuthorizationRequest): string {
  return errorLocation(request, 'access_denied', 'The user did not allow it');
}

function codeLocation({ em }: Context, request: AuthorizationRequest, family: TokenFamily, at: Date): string {
  const code = newSecret('authorizationCode');
  em.persist(
    em.create(AuthorizationCode, {
      code_hash: hashOfToken(code),
      family_id: family.id,
      redirect_uri: request.redirect_uri,
      code_challenge: request.code_challenge ?? null,
      expires_at: after(at, codeLifeSeconds),
    }),
  );
  return responseLocation(request, { code });
}

function tokenLocation(ctx: Context, request: AuthorizationRequest, family: TokenFamily, at: Date): string {
  const { application, scopes } = request;
  const secret = newAccessToken();
  const life = { at, seconds: implicitLifeSeconds };
  const token = addAccessToken(ctx, family, { secret, name: application.name, scopes, ...life });
  return responseLocation(request, {
    access_token: secret,
    expires: token.expires_at.toISOString(),
    expires_in: String(implicitLifeSeconds),
    scope: token.scope,
    token_type: 'Bearer',
  });
}
