import { text, type WebAnswer, type WebRequest } from '@crm/contract';
import { html } from '@crm/html';
import { auditAs } from '@crm/messaging';
import { type Context, implement, inSteps } from '@crm/service';
import { z } from 'zod';
import { noteEvent } from '../security-events/note-event.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { cookieNames, droppingCookie, secretIn } from '../sessions/cookies.ts';
import type { PasswordAttempts } from '../sessions/password-attempts.ts';
import { endSession } from '../sessions/session.queries.ts';
import { settleAttempt } from '../sessions/sign-in.ts';
import { readTarget, type SignInTarget } from '../sessions/sign-in-target.ts';
import { type FormProblem, fieldsOf, readForm } from './form.ts';
import { goTo } from './page.ts';
import { paths } from './paths.ts';
import { signInApi, signOutApi } from './sign-in.api.ts';
import { signInPage, tooManyAttempts } from './sign-in.page.ts';
import { acting, signInFirst, visitOf } from './visit.ts';
import { isVisitorForm, visitorSecret } from './visitor-form.ts';

const Credentials = z.object({
  email: text(255).min(1, { error: 'Enter your e-mail address.' }),
  password: text(1024).min(1, { error: 'Enter your password.' }),
});

interface Asking {
  /** The secret of the browser; a new one if it sent none. */
  readonly secret: string;
  readonly target: SignInTarget | undefined;
}

export function signInHandlers(publicUrl: string, passwords: PasswordAttempts) {
  return implement(signInApi, {
    show: async (ctx, request) => {
      const query = new URLSearchParams(request.query);
      const asked = askedBy(request, query.get('continue'));
      if (await visitOf(ctx, request)) return goTo(asked.target?.path ?? paths.account);
      const notice = notices.find(([name]) => query.has(name))?.[1];
      return signInPage({ ...asked, notice });
    },

    signIn: inSteps(signInApi.signIn, {
      // Comparing a password is slow on purpose, so it is done before the transaction.
      ask: async (ctx, request) => {
        const form = formIn(request, publicUrl);
        return form.attempt ? passwords.attempt(ctx.query, form.attempt) : undefined;
      },

      act: async (ctx, request, checked) => {
        const asked = askedBy(request, fieldsOf(request).get('continue'));
        const form = formIn(request, publicUrl);
        if (!form.attempt || checked === undefined) return signInPage({ ...asked, ...form });
        const outcome = await settleAttempt(ctx.query, form.attempt, checked);
        if (typeof outcome === 'object' && 'userId' in outcome)
          return signIn(ctx, request, outcome.userId, asked);
        return signInPage({ ...asked, email: form.email, problem: problemOf(outcome) });
      },
    }),
  });
}

/** The attempt that was entered, or the problem that the page shows instead. */
function formIn(request: WebRequest, publicUrl: string) {
  const fields = fieldsOf(request);
  const email = fields.get('email') ?? '';
  if (!isVisitorForm(request, publicUrl, paths.signIn))
    return { email, problem: { status: 403, title: 'This form has expired. Please sign in again.' } };
  const read = readForm(Credentials, { email, password: fields.get('password') ?? '' });
  if ('values' in read) return { email, attempt: { ...read.values, request } };
  return { email, problem: { status: 422, title: 'Please fill in all fields.', errors: read.errors } };
}

export const signOutHandlers = (publicUrl: string) =>
  implement(signOutApi, {
    signOut: acting(publicUrl, paths.signOut, async ({ ctx, request, secret, fields }) => {
      await endSession(ctx.query, secret);
      const target = readTarget(secret, fields.get('continue') ?? '');
      const { headers } = target ? signInFirst(request, target) : goTo(`${paths.signIn}?signed_out`);
      const cookies = [headers['set-cookie'] ?? []].flat();
      return goTo(String(headers.location), [...cookies, droppingCookie(cookieNames.session)]);
    }),
  });

/** Why the user is not signed in. */
function problemOf(outcome: 'too many' | 'wrong' | { readonly waitSeconds: number }): FormProblem {
  if (outcome === 'wrong') return { status: 422, title: 'The e-mail address or the password is wrong.' };
  if (outcome !== 'too many') return tooManyAttempts(outcome.waitSeconds);
  const title = 'Too many people are signing in. Please try again in a moment.';
  return { status: 429, title, retryAfter: 1 };
}

const status = (text: string) => html`<div class="notice" role="status"><p>${text}</p></div>`;
const notices = [
  ['signed_out', status('You are signed out.')],
  ['password_changed', status('Your password was changed. Please sign in with the new one.')],
  ['account_ready', status('Your account is ready. Please sign in with your password.')],
] as const;

function askedBy(request: WebRequest, onward: string | null | undefined): Asking {
  const secret = visitorSecret(request);
  return { secret, target: readTarget(secret, onward ?? '') };
}

/** Starts a session with a new secret that nobody could have known before, and ends the previous session. */
async function signIn(
  { em, query }: Context,
  request: WebRequest,
  userId: number,
  { target }: Asking,
): Promise<WebAnswer> {
  auditAs(em, { userId });
  const previous = secretIn(request, cookieNames.session);
  if (previous !== undefined) await endSession(query, previous);
  const { isNewDevice, cookies } = await beginSession(query, request, userId);
  const kind = isNewDevice ? 'signed in on a new device' : 'signed in';
  await noteEvent(query, { userId, kind, origin: request });
  return goTo(target?.path ?? paths.account, [...cookies, droppingCookie(cookieNames.signIn)]);
}
