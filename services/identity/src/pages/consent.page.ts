import type { WebAnswer } from '@crm/contract';
import { html } from '@crm/html';
import { isLoopback } from '../applications/redirect-uri.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { formToken } from '../sessions/browser-secret.ts';
import type { Scope } from '../tokens/scope.ts';
import { hidden } from './form.ts';
import { page } from './page.ts';
import { paths } from './paths.ts';
import { formTo, type Visit } from './visit.ts';
import { whoView } from './who.ts';

/** The meaning of each scope; `write` includes `read`. */
const meanings: Readonly<Record<Scope, readonly string[]>> = {
  read: ['See your contacts, leads, tasks and everything else you can see'],
  write: [
    'See your contacts, leads, tasks and everything else you can see',
    'Add, change and remove them on your behalf',
  ],
};

export const meaningsOf = (scopes: readonly Scope[]): readonly string[] => [
  ...new Set(scopes.flatMap((scope) => meanings[scope])),
];

interface Shown {
  /** The path of this page with the query that the application sent. */
  readonly path: string;
  readonly request: AuthorizationRequest;
  /** The path as a form field, to return to this page with another account. */
  readonly onward: string;
}

export function consentPage(visit: Visit, { path, request, onward }: Shown): WebAnswer {
  const { application, redirect_uri, scopes } = request;
  const { host, origin } = new URL(redirect_uri);
  return page({
    title: `Allow ${application.name}?`,
    leadsTo: origin,
    main: html`<section class="card narrow consent">
<div class="heading">
<h1>Allow <strong class="app">${application.name}</strong> to use your account?</h1>
<p class="muted">You will be sent to <strong>${host}</strong>${
      isLoopback(redirect_uri) && ', a program on this device'
    }.</p>
</div>
<div class="signed-in">
${whoView(visit.user)}
${switchAccount(visit, onward)}
</div>
<div class="heading">
<h2>It will be able to</h2>
<ul class="permissions">${meaningsOf(scopes).map((text) => html`<li>${text}</li>`)}</ul>
</div>
${formTo(
  visit,
  path,
  html`<div class="actions">
<button name="decision" value="deny">Deny</button>
<button class="primary" name="decision" value="allow">Allow</button>
</div>`,
)}
<p class="hint">Allow only applications that you know and trust. You can withdraw access at any time under
<a href="${paths.connected}">connected applications</a>.</p>
</section>`,
  });
}

const switchAccount = (
  { secret }: Visit,
  onward: string,
) => html`<form method="post" action="${paths.signOut}">
${hidden('form_token', formToken(secret, paths.signOut))}
${hidden('continue', onward)}
<button class="link">Use another account</button>
</form>`;

/** An error that is not sent to the application, because the redirect URI cannot be trusted. */
export function authorizationError(message: string): WebAnswer {
  const title = 'This link does not work';
  return page({
    status: 400,
    title,
    main: html`<section class="card narrow">
<h1>${title}</h1>
<p>${message}</p>
<p class="muted">You were not redirected, and nothing was shared. Please tell the developer of the application.</p>
</section>`,
  });
}
