import { Refused, type WebAnswer, type WebRequest } from '@crm/contract';
import { type Content, html } from '@crm/html';
import { auditAs } from '@crm/messaging';
import type { Context } from '@crm/service';
import { noteEvent } from '../security-events/note-event.ts';
import type { Occurrence } from '../security-events/security-event.queries.ts';
import { formToken, isFormToken } from '../sessions/browser-secret.ts';
import { cookieNames, secretIn, settingCookie } from '../sessions/cookies.ts';
import { isFromOwnPage } from '../sessions/own-page.ts';
import { continueSession, type SignedInUser } from '../sessions/session.queries.ts';
import { maxPathLength, type SignInTarget, writeTarget } from '../sessions/sign-in-target.ts';
import { fieldsOf, hidden } from './form.ts';
import { goTo, type Page, page } from './page.ts';
import { paths } from './paths.ts';
import { visitorSecret } from './visitor-form.ts';

/** A request of a user who is signed in. */
export interface Visit {
  readonly ctx: Context;
  readonly request: WebRequest;
  readonly user: SignedInUser;
  /** The secret of the session. */
  readonly secret: string;
  readonly fields: ReadonlyMap<string, string>;
}

type Handler = (ctx: Context, request: WebRequest) => Promise<WebAnswer>;
export type Visited = (visit: Visit) => Promise<WebAnswer>;
/** The path of a page: with parameters, it depends on the request. */
export type PagePath = string | ((request: WebRequest) => string);

const pathFor = (path: PagePath, request: WebRequest): string =>
  typeof path === 'string' ? path : path(request);

/** The visit of a request, if somebody is signed in. Extends the session. */
export async function visitOf(ctx: Context, request: WebRequest): Promise<Visit | undefined> {
  const secret = secretIn(request, cookieNames.session);
  const user = secret === undefined ? undefined : await continueSession(ctx.query, secret);
  if (secret === undefined || !user) return undefined;
  auditAs(ctx.em, { userId: user.id });
  return { ctx, request, user, secret, fields: fieldsOf(request) };
}

/** Redirects to the sign-in page, which then leads to the target. */
export function signInFirst(request: WebRequest, target: SignInTarget): WebAnswer {
  const secret = visitorSecret(request);
  const isTooLong = target.path.length > maxPathLength;
  const reached = isTooLong ? { path: paths.account, leadsTo: null } : target;
  return goTo(`${paths.signIn}?continue=${writeTarget(secret, reached)}`, [
    settingCookie(cookieNames.signIn, secret),
  ]);
}

/** Shows a page to users who are signed in. */
export const showing =
  (path: PagePath, show: Visited): Handler =>
  async (ctx, request) => {
    const visit = await visitOf(ctx, request);
    return visit ? show(visit) : signInFirst(request, { path: pathFor(path, request), leadsTo: null });
  };

/**
 * The visit of a signed-in user who has submitted a form, or else the response. The form is refused unless it is from
 * our own page for this session and path.
 */
export async function submittedVisit(
  ctx: Context,
  request: WebRequest,
  { publicUrl, path }: { readonly publicUrl: string; readonly path: PagePath },
): Promise<Visit | WebAnswer> {
  if (!isFromOwnPage(request, publicUrl)) return foreignForm();
  const visit = await visitOf(ctx, request);
  if (!visit) return signInFirst(request, { path: paths.account, leadsTo: null });
  const token = visit.fields.get('form_token') ?? '';
  return isFormToken(token, visit.secret, pathFor(path, request)) ? visit : foreignForm(visit);
}

/** Carries out a form for users who are signed in. */
export const acting =
  (publicUrl: string, path: PagePath, act: Visited): Handler =>
  async (ctx, request) => {
    const visit = await submittedVisit(ctx, request, { publicUrl, path });
    return 'status' in visit ? visit : act(visit);
  };

/** Records an action of the visitor in the same transaction. */
export const noted = (
  { ctx, user, request }: Visit,
  event: Omit<Occurrence, 'userId' | 'origin'>,
): Promise<void> => noteEvent(ctx.query, { ...event, userId: user.id, origin: request });

/** Shows a 404 page for records that do not exist or do not belong to the visitor. */
export const orMissing =
  (act: Visited): Visited =>
  async (visit) => {
    try {
      return await act(visit);
    } catch (error) {
      if (error instanceof Refused && error.name === 'NotFound') return missing(visit);
      throw error;
    }
  };

/** A form to one path, valid for this session. */
export const formTo = ({ secret }: Pick<Visit, 'secret'>, path: string, content: Content) =>
  html`<form method="post" action="${path}" novalidate>${hidden('form_token', formToken(secret, path))}${content}</form>`;

/** A page for the visitor. */
export function pageFor({ user, secret }: Visit, shown: Omit<Page, 'viewer'>): WebAnswer {
  return page({ ...shown, viewer: { user, signOutToken: formToken(secret, paths.signOut) } });
}

function foreignForm(visit?: Visit): WebAnswer {
  const title = 'This form is no longer valid';
  const main = html`<section class="card narrow">
<h1>${title}</h1>
<p>It belongs to another session, or was sent from another site. Nothing was changed.</p>
<p><a class="button" href="${paths.account}">Go to your account</a></p>
</section>`;
  return visit ? pageFor(visit, { status: 403, title, main }) : page({ status: 403, title, main });
}

function missing(visit: Visit): WebAnswer {
  const title = 'Page not found';
  const main = html`<section class="card narrow">
<h1>${title}</h1>
<p>This page does not exist, or it belongs to another user.</p>
<p><a class="button" href="${paths.account}">Go to your account</a></p>
</section>`;
  return pageFor(visit, { status: 404, title, main });
}
