import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import { formToken } from '../sessions/browser-secret.ts';
import { cookieNames, settingCookie } from '../sessions/cookies.ts';
import { type SignInTarget, writeTarget } from '../sessions/sign-in-target.ts';
import { emailField, type FormProblem, hidden, passwordField, problemView } from './form.ts';
import { page } from './page.ts';
import { paths } from './paths.ts';

interface SignInPage {
  /** The secret of the browser before anybody is signed in. */
  readonly secret: string;
  readonly target?: SignInTarget | undefined;
  readonly email?: string | undefined;
  readonly notice?: Content;
  readonly problem?: FormProblem | undefined;
}

export function signInPage({ secret, target, email, notice, problem }: SignInPage): WebAnswer {
  return page({
    problem,
    title: 'Sign in',
    main: html`<section class="card narrow">
<h1>Sign in</h1>
${notice}
${problemView(problem)}
${form({ secret, target, email, problem })}
</section>`,
    // Signing in can redirect directly to an application that was approved before.
    leadsTo: target?.leadsTo ?? null,
    headers: { 'set-cookie': settingCookie(cookieNames.signIn, secret) },
  });
}

function form({ secret, target, email, problem }: SignInPage) {
  return html`<form method="post" action="${paths.signIn}" novalidate>
${hidden('form_token', formToken(secret, paths.signIn))}
${target && hidden('continue', writeTarget(secret, target))}
${emailField(email, problem)}
${passwordField({ name: 'password', label: 'Password', error: problem?.errors?.password })}
<button class="primary wide">Sign in</button>
<p><a href="${paths.forgottenPassword}">Forgot your password?</a></p>
</form>`;
}

export const tooManyAttempts = (seconds: number): FormProblem => ({
  status: 429,
  title: `Too many attempts. Please wait ${durationOf(seconds)} and try again.`,
  retryAfter: seconds,
});

function durationOf(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
}
