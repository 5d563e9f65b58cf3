import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import type { Resetting } from '../password-resets/password-reset.queries.ts';
import { resetMinutes } from '../security-events/account-mail.queries.ts';
import { formToken } from '../sessions/browser-secret.ts';
import { cookieNames, settingCookie } from '../sessions/cookies.ts';
import { emailField, type FormProblem, hidden, problemView } from './form.ts';
import { newPasswordField } from './new-password.page.ts';
import { page } from './page.ts';
import { paths } from './paths.ts';

/** Asks for the address that a link is sent to. */
export const forgottenPage = (secret: string, email?: string, problem?: FormProblem): WebAnswer =>
  formPage(secret, problem, {
    heading: 'Choose a new password',
    path: paths.forgottenPassword,
    content: html`<p class="muted">We will send a link to your e-mail address.</p>
${emailField(email, problem)}
<button class="primary wide">Send the link</button>
<p><a href="${paths.signIn}">Sign in</a></p>`,
  });

/** The same for every address, so that nobody learns who has an account. */
export const askedPage = (): WebAnswer =>
  notice(
    200,
    'Check your e-mail',
    html`<p>If an account has this address, a link is on its way. It works once, within ${resetMinutes} minutes.</p>
<p><a class="button" href="${paths.signIn}">Sign in</a></p>`,
  );

interface Link {
  readonly token: string;
  readonly user: Resetting;
}

/** Asks for a new password, or for the first one of an invited user. */
export const resetPage = (secret: string, { token, user }: Link, problem?: FormProblem): WebAnswer =>
  formPage(secret, problem, {
    heading: user.is_new ? 'Welcome' : 'Choose a new password',
    path: paths.reset(token),
    content: html`${
      user.is_new
        ? html`<p>An account was created for you. Choose a password to sign in with as <strong>${user.email}</strong>.</p>`
        : html`<p class="muted">This signs out all browsers. Access tokens, applications and everybody who may act for you lose
their access.</p>`
    }
${newPasswordField(problem?.errors)}
<button class="primary wide">${user.is_new ? 'Create the account' : 'Change the password'}</button>`,
  });

export const uselessLink = (): WebAnswer =>
  notice(
    404,
    'This link does not work',
    html`<p>It was already used or has expired, or the password has been changed since.</p>
<p><a class="button" href="${paths.forgottenPassword}">Send another link</a></p>`,
  );

interface Form {
  readonly heading: string;
  readonly path: string;
  readonly content: Content;
}

const formPage = (
  secret: string,
  problem: FormProblem | undefined,
  { heading, path, content }: Form,
): WebAnswer =>
  page({
    problem,
    title: heading,
    main: html`<section class="card narrow">
<h1>${heading}</h1>
${problemView(problem)}
<form method="post" action="${path}" novalidate>
${hidden('form_token', formToken(secret, path))}
${content}
</form>
</section>`,
    headers: { 'set-cookie': settingCookie(cookieNames.signIn, secret) },
  });

const notice = (status: number, title: string, content: Content): WebAnswer =>
  page({ status, title, main: html`<section class="card narrow"><h1>${title}</h1>${content}</section>` });
