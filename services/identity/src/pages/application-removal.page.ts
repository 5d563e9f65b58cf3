import { html } from '@crm/html';
import type { ApplicationUse } from '../applications/application-use.queries.ts';
import type { OwnedApplication } from '../applications/owned-applications.queries.ts';
import { paths } from './paths.ts';
import { formTo, type Visit } from './visit.ts';

export function usedBy({ users, tokens }: ApplicationUse): string {
  if (users === 0) return 'No other user has connected it.';
  const people = users === 1 ? 'One other user has' : `${users} other users have`;
  return `${people} connected it, with ${tokens === 1 ? 'one access token' : `${tokens} access tokens`}.`;
}

export const removalView = (visit: Visit, { id, name }: OwnedApplication, use: ApplicationUse) => html`
<section class="card narrow consent">
<h1>Remove ${name}?</h1>
<p>${usedBy(use)} Its secrets and all its tokens stop working at once. This cannot be undone.</p>
${formTo(
  visit,
  paths.removal(id),
  html`<div class="actions">
<a class="button" href="${paths.application(id)}">Keep it</a>
<button class="danger">Remove it</button>
</div>`,
)}
</section>`;
