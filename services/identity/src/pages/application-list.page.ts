import { html } from '@crm/html';
import type { OwnedApplication } from '../applications/owned-applications.queries.ts';
import { type ApplicationFields, applicationFields } from './application-form.ts';
import { copyable } from './copy.ts';
import { checkbox, type FormProblem, problemView } from './form.ts';
import { paths } from './paths.ts';
import { formTo, type Visit } from './visit.ts';

interface Listed {
  readonly applications: readonly OwnedApplication[];
  readonly fields: ApplicationFields;
  /** The redirect URI of the API reference. */
  readonly referenceUri: string;
  readonly problem: FormProblem | undefined;
}

export const applicationList = (
  visit: Visit,
  { applications, fields, referenceUri, problem }: Listed,
) => html`
${problemView(problem)}
<div class="heading">
<h1>Your applications</h1>
<p class="lead">Your software that works with the accounts of users who approve it.</p>
</div>
${
  applications.length > 0 &&
  html`<ul class="tiles">${applications.map(
    ({ id, name, client_id }) => html`<li><a class="tile" href="${paths.application(id)}">
<span class="name">${name}</span>
<span class="muted small">Client id <code>${client_id}</code></span>
</a></li>`,
  )}</ul>`
}
<section class="card" aria-labelledby="register">
<h2 id="register">Register an application</h2>
<details><summary>To send requests from the API reference</summary>
<div class="stack">
<p class="muted">Register an application that cannot keep a secret, with this redirect URI. Then choose "oauth" in the
<a href="${paths.reference}">API reference</a>, and enter the client id.</p>
${copyable({ id: 'reference-uri', label: 'redirect URI of the API reference', text: referenceUri })}
</div>
</details>
${formTo(
  visit,
  paths.applications,
  html`${applicationFields(fields, problem?.errors)}
${checkbox({
  name: 'is_public',
  label: 'It cannot keep a secret',
  hint: 'For software that runs on the devices of its users, such as an app or a web page. It gets no secret and must use PKCE.',
})}
<button class="primary">Register</button>`,
)}
</section>`;
