import { html } from '@crm/html';
import { implement } from '@crm/service';
import {
  type ConsentedApplication,
  consentedApplications,
} from '../consents/consented-applications.queries.ts';
import { withdrawConsent } from '../consents/withdraw-consent.ts';
import { scopesIn } from '../tokens/scope.ts';
import { connectedApplicationApi } from './connected-application.api.ts';
import { meaningsOf } from './consent.page.ts';
import { goTo } from './page.ts';
import { idIn, paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { acting, formTo, noted, orMissing, pageFor, showing, type Visit } from './visit.ts';

export const connectedApplicationHandlers = (publicUrl: string) =>
  implement(connectedApplicationApi, {
    list: showing(paths.connected, async (visit) => {
      const applications = await consentedApplications(visit.ctx.query, visit.user.id);
      const main = applicationsView(visit, applications);
      return pageFor(visit, { title: 'Connected applications', section: 'connected', main });
    }),

    withdraw: acting(
      publicUrl,
      ({ params }) => paths.withdrawal(params.application_id ?? ''),
      orMissing(async (visit) => {
        const applicationId = idIn(visit.request, 'application_id');
        await withdrawConsent(visit.ctx, visit.user.id, applicationId);
        await noted(visit, { kind: 'application withdrawn', applicationId });
        return goTo(paths.connected);
      }),
    ),
  });

const applicationsView = (visit: Visit, applications: readonly ConsentedApplication[]) => html`
<div class="heading">
<h1>Connected applications</h1>
<p class="lead">These applications can use your account. Withdraw the access of those you do not use or do not
know: it ends at once.</p>
</div>
<section class="card" aria-label="Applications">
${
  applications.length > 0
    ? html`<ul class="rows">${applications.map((application) => rowView(visit, application))}</ul>`
    : html`<p class="muted">No application can use your account.</p>`
}
</section>`;

function rowView(visit: Visit, { application_id, name, scope, since, last_used_at }: ConsentedApplication) {
  const { timezone } = visit.user;
  return html`<li>
<div class="heading">
<h2>${name}</h2>
<ul class="small">${meaningsOf(scopesIn(scope)).map((text) => html`<li>${text}</li>`)}</ul>
<p class="muted small">Since ${showDate(since, timezone)} ·
${last_used_at === null ? 'never used' : html`last used ${showDate(last_used_at, timezone)}`}</p>
</div>
${formTo(
  visit,
  paths.withdrawal(application_id),
  html`<button class="danger" aria-label="Withdraw the access of ${name}">Withdraw</button>`,
)}
</li>`;
}
