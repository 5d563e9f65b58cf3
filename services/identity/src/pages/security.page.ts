import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import { consentedApplications } from '../consents/consented-applications.queries.ts';
import { delegationsOfUser } from '../delegations/delegations-of.queries.ts';
import { recentEvents } from '../security-events/security-event.queries.ts';
import { devicesOf, maxDevices } from '../sessions/known-device.queries.ts';
import { personalTokens } from '../tokens/own-tokens.queries.ts';
import { type FieldErrors, type FormProblem, passwordField, problemView } from './form.ts';
import { newPasswordField } from './new-password.page.ts';
import { paths } from './paths.ts';
import { deviceRow, eventRow, tokenRow } from './security-rows.ts';
import { formTo, pageFor, type Visit } from './visit.ts';

export async function securityPage(visit: Visit, problem?: FormProblem): Promise<WebAnswer> {
  const isChanged = new URLSearchParams(visit.request.query).has('password_changed');
  const main = html`
${problemView(problem)}
${isChanged && !problem && html`<div class="notice" role="status"><p>Your password was changed.</p></div>`}
<div class="heading">
<h1>Security</h1>
<p class="lead">What can use your account, and its recent activity. Revoke anything that you do not recognize.</p>
</div>
${passwordView(visit, problem?.errors)}
${await listsFor(visit)}`;
  return pageFor(visit, { problem, title: 'Security', section: 'security', main });
}

/** The lists of everything that can use the account, and its recent activity. */
async function listsFor(visit: Visit) {
  const { user, secret, ctx } = visit;
  const devices = await devicesOf(ctx.query, user.id, secret);
  const tokens = await personalTokens(ctx.query, user.id);
  const applications = await consentedApplications(ctx.query, user.id);
  const brokers = (await delegationsOfUser(ctx.query, user.id)).filter(({ given_at }) => given_at !== null);
  const events = await recentEvents(ctx.query, user.id);
  return html`
${listView(
  'browsers',
  'Browsers',
  devices.map((device) => deviceRow(visit, device)),
  everywhereView(visit, devices.length),
)}
${listView(
  'tokens',
  'Access tokens',
  tokens.map((token) => tokenRow(visit, token)),
)}
${listView('applications', 'Applications', applications.map(nameRow), linkTo(paths.connected, 'See what they can do, and withdraw their access'))}
${!user.is_broker && listView('delegations', 'Who may act for you', brokers.map(nameRow), linkTo(paths.brokers, 'See since when, and end it'))}
${listView(
  'events',
  'Recent events',
  events.map((event) => eventRow(visit, event)),
)}`;
}

const nameRow = ({ name }: { readonly name: string }) => html`<li>${name}</li>`;
const linkTo = (path: string, text: string) => html`<p><a href="${path}">${text}</a></p>`;

const passwordView = (visit: Visit, errors: FieldErrors = {}) => html`
<section class="card" aria-labelledby="password">
<div class="heading">
<h2 id="password">Password</h2>
<p class="muted">A new password signs out all other browsers. Access tokens, connected applications, the link to your
calendar and everybody who may act for you lose their access.</p>
</div>
${formTo(
  visit,
  paths.password,
  html`
${passwordField({ name: 'current_password', label: 'Current password', error: errors.current_password })}
${newPasswordField(errors)}
<button class="primary">Change the password</button>`,
)}
</section>`;

const everywhereView = (visit: Visit, shown: number) => html`
${
  shown === maxDevices &&
  html`<p class="muted">These are the ${maxDevices} browsers used last. Signing out everywhere also ends all others.</p>`
}
${formTo(visit, paths.signOutEverywhere, html`<button class="danger">Sign out everywhere</button>`)}`;

const listView = (id: string, title: string, rows: readonly Content[], after?: Content) => html`
<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="muted">None.</p>`}
${after}
</section>`;
