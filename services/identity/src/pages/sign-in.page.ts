import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import { formToken } from '../sessions/browser-secret.ts';
import { cookieNames, settingCookie } from '../sessions/cookies.ts';
import { type SignInTarget, writeTarget } from '../sessions/sign-in-target.ts';
import { errorSummary, type FieldErrors, field, hidden } from './form.ts';
import { page } from './page.ts';
import { paths } from './paths.ts';

interface SignInPage {
  /** The secret of the browser before anybody is signed in. */
  readonly secret: string;
  readonly target?: SignInTarget | undefined;
  readonly email?: string;
  readonly notice?: Content;
  readonly errors?: FieldErrors;
  readonly status?: number;
  readonly retryAfter?: number;
}

export function signInPage({ secret, target, status = 200, retryAfter, ...shown }: SignInPage): WebAnswer {
  return page({
    status,
    title: 'Sign in',
    main: html`<section class="card narrow">
<h1>Sign in</h1>
${shown.notice}
${form({ secret, target, ...shown })}
</section>`,
    // Signing in can redirect straight to an application that was approved before.
    leadsTo: target?.leadsTo ?? null,
    headers: {
      'set-cookie': settingCookie(cookieNames.signIn, secret),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  });
}

function form({ secret, target, email = '', errors = {} }: SignInPage) {
  return html`<form method="post" action="${paths.signIn}" novalidate>
${hidden('form_token', formToken(secret, paths.signIn))}
${target && hidden('continue', writeTarget(secret, target))}
${field({
  name: 'email',
  label: 'E-mail address',
  error: errors.email,
  control: (attributes) =>
    html`<input${attributes} type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required value="${email}">`,
})}
${field({
  name: 'password',
  label: 'Password',
  error: errors.password,
  control: (attributes) =>
    html`<input${attributes} type="password" autocomplete="current-password" maxlength="1024" required>`,
})}
<button class="primary wide">Sign in</button>
<p><a href="${paths.forgottenPassword}">Forgot your password?</a></p>
</form>`;
}

export const signInErrors = {
  stale: errorSummary('This form has expired. Please sign in again.'),
  wrong: errorSummary('The e-mail address or the password is wrong.'),
  busy: errorSummary('Too many people are signing in. Please try again in a moment.'),
  incomplete: (errors: FieldErrors) => errorSummary('Please fill in all fields.', errors),
  early: (seconds: number) =>
    errorSummary(`Too many attempts. Please wait ${durationOf(seconds)} and try again.`),
};

export function durationOf(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
}
