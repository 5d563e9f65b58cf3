import { type Content, html } from '@crm/html';
import type { ApplicationUse } from '../applications/application-use.queries.ts';
import type { OwnedApplication } from '../applications/owned-applications.queries.ts';
import { type ApplicationFields, applicationFields } from './application-form.ts';
import { usedBy } from './application-removal.page.ts';
import { copyable } from './copy.ts';
import { checkbox, type FormProblem, field, problemView } from './form.ts';
import { paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { formTo, type Visit } from './visit.ts';

export interface ApplicationPage {
  readonly application: OwnedApplication;
  readonly use: ApplicationUse;
  readonly fields: ApplicationFields;
  readonly problem?: FormProblem;
  /** A new secret, shown only this once. */
  readonly secret?: Content;
}

export const applicationView = (visit: Visit, shown: ApplicationPage) => html`
${problemView(shown.problem)}
${shown.secret}
<div class="heading">
<p><a href="${paths.applications}">Your applications</a></p>
<h1>${shown.application.name}</h1>
${shown.application.is_disabled && html`<p class="notice bad">This application is disabled; its tokens do not work.</p>`}
</div>
${credentials(visit, shown.application)}
${settings(visit, shown)}
${tokens(visit, shown)}
<section class="card" aria-labelledby="removal">
<h2 id="removal">Remove</h2>
<p>${usedBy(shown.use)} Removing it ends all of its access.</p>
<p><a class="button danger" href="${paths.removal(shown.application.id)}">Remove this application</a></p>
</section>`;

const credentials = (visit: Visit, { id, client_id, is_public }: OwnedApplication) => html`
<section class="card" aria-labelledby="credentials">
<h2 id="credentials">Credentials</h2>
<dl class="facts">
<div><dt>Client id</dt><dd>${copyable({ id: 'client-id', label: 'client id', text: client_id })}</dd></div>
<div><dt>Client secret</dt><dd>${
  is_public ? 'None: this application cannot keep a secret.' : 'Shown only once, when it is created.'
}</dd></div>
</dl>
<p class="hint">In the <a href="${paths.reference}">API reference</a> you can send requests with an access token from below, or
with the client id if the address of the reference is among the redirect URIs.</p>
${
  !is_public &&
  formTo(
    visit,
    paths.secret(id),
    html`${checkbox({
      name: 'at_once',
      label: 'Revoke the current secret at once',
      hint: 'Otherwise it stays valid for 24 hours, so that you can replace it without downtime.',
    })}
<button>Create a new secret</button>`,
  )
}
</section>`;

const settings = (visit: Visit, { application: { id }, fields, problem }: ApplicationPage) => html`
<section class="card" aria-labelledby="settings">
<h2 id="settings">Settings</h2>
${formTo(
  visit,
  paths.application(id),
  html`${applicationFields(fields, problem?.errors)}<button class="primary">Save</button>`,
)}
</section>`;

const tokens = (visit: Visit, { application, problem }: ApplicationPage) => html`
<section class="card" aria-labelledby="tokens">
<div class="heading">
<h2 id="tokens">Your own access tokens</h2>
<p class="muted">With one of these tokens the application can use your account without asking.</p>
</div>
${
  application.tokens.length > 0 &&
  html`<ul class="rows">${application.tokens.map((token) => tokenRow(visit, application.id, token))}</ul>`
}
${!application.is_disabled && newTokenForm(visit, application.id, problem)}
</section>`;

const newTokenForm = (visit: Visit, applicationId: number, problem?: FormProblem) =>
  formTo(
    visit,
    paths.tokens(applicationId),
    html`
${field({
  name: 'token_name',
  label: 'Name of a new token',
  hint: 'For example, where you will use it.',
  error: problem?.errors?.token_name,
  control: (attributes) => html`<input${attributes} type="text" maxlength="255" autocomplete="off" required>`,
})}
<fieldset>
<legend>What it can do</legend>
<div class="choice"><input type="radio" id="scope-read" name="scope" value="read" checked><label for="scope-read">Read</label></div>
<div class="choice"><input type="radio" id="scope-write" name="scope" value="write"><label for="scope-write">Read and write</label></div>
</fieldset>
<button>Create a token</button>`,
  );

function tokenRow(visit: Visit, applicationId: number, token: OwnedApplication['tokens'][number]) {
  const { id, name, scope, expires_at, last_used_at } = token;
  const { timezone } = visit.user;
  return html`<li>
<div class="heading">
<h3>${name} <span class="tag">${scope}</span></h3>
<p class="muted small">Valid until ${showDate(expires_at, timezone)} ·
${last_used_at === null ? 'never used' : html`last used ${showDate(last_used_at, timezone)}`}</p>
</div>
${formTo(
  visit,
  paths.revocation(applicationId, id),
  html`<button class="danger" aria-label="Revoke the token ${name}">Revoke</button>`,
)}
</li>`;
}

/** A secret that was just created. It has the focus when the page is loaded. */
export const secretOnce = (title: string, label: string, secret: string) => html`
<div class="notice" role="status" tabindex="-1" autofocus>
<p><strong>${title}</strong></p>
<p>Copy it now: it is not stored and cannot be shown again.</p>
${copyable({ id: 'new-secret', label, text: secret })}
</div>`;
