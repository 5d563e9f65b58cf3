import type { WebAnswer } from '@crm/contract';
import { html } from '@crm/html';
import { delegationsOfUser, type ShownDelegation } from '../delegations/delegations-of.queries.ts';
import {
  addressIn,
  type FieldErrors,
  type FormProblem,
  field,
  hidden,
  passwordField,
  problemView,
} from './form.ts';
import { paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { switchesView } from './switches.ts';
import { formTo, pageFor, type Visit } from './visit.ts';

export async function brokersPage(visit: Visit, problem?: FormProblem): Promise<WebAnswer> {
  const { errors = {} } = problem ?? {};
  const delegations = await delegationsOfUser(visit.ctx.query, visit.user.id);
  const main = html`
${problemView(problem)}
<div class="heading">
<p><a href="${paths.account}">Your account</a></p>
<h1>Who may act for you</h1>
<p class="lead">A broker you allow can see and change what you can, but cannot change your account, accept invitations to
teams, or share and assign your records outside your teams. You can end it at any time: what the broker shared and assigned
for you is then undone.</p>
</div>
<section class="card" aria-label="Brokers">
${
  delegations.length > 0
    ? html`<ul class="rows">${delegations.map((one) => rowView(visit, one, errors))}</ul>`
    : html`<p class="muted">No broker may act for you, and none has asked to.</p>`
}
</section>
${allowView(visit, errors)}`;
  return pageFor(visit, { problem, title: 'Who may act for you', section: 'account', main });
}

function rowView(visit: Visit, one: ShownDelegation, errors: FieldErrors) {
  const isAsked = one.given_at === null;
  return html`<li>
<div class="heading">
<h2>${one.name}</h2>
${one.name !== one.email && html`<p class="muted">${one.email}</p>`}
${explanation(visit, one)}
${isAsked && one.switches && switchesView(one.switches)}
</div>
${isAsked && acceptView(visit, one, errors)}
${formTo(
  visit,
  paths.brokerLeaving(one.id),
  html`<button class="danger" aria-label="${wordOf(one)} ${one.name}">${wordOf(one)}</button>`,
)}
</li>`;
}

const wordOf = ({ given_at, sub_account_id }: ShownDelegation) =>
  sub_account_id !== null ? 'Leave' : given_at === null ? 'Decline' : 'Withdraw';

function explanation({ user: { timezone } }: Visit, one: ShownDelegation) {
  const until = one.expires_at && html` Until ${showDate(one.expires_at, timezone)}.`;
  if (one.state === 'active' && one.given_at) {
    return html`<p class="muted small">Has acted for you since ${showDate(one.given_at, timezone)}${
      one.given_by === 'operator' && ', as entered for you by an administrator'
    } · ${one.last_used_at === null ? 'never used' : html`last used ${showDate(one.last_used_at, timezone)}`}
${one.token_expires_at && html` · with an access token that is valid until ${showDate(one.token_expires_at, timezone)}`}</p>`;
  }
  if (one.given_at !== null) return html`<p>Can add you as a sub-account once.${until}</p>`;
  if (one.sub_account_id !== null)
    return html`<p>You are a sub-account of this broker, who does not act for you until you allow it.</p>`;
  return html`<p>Invites you to become a sub-account.${until}</p>`;
}

const acceptView = (visit: Visit, { id, version, name }: ShownDelegation, errors: FieldErrors) =>
  formTo(
    visit,
    paths.brokerAcceptance(id),
    html`${hidden('version', String(version))}
${ownPasswordField(`password-${id}`, errors)}
<button class="primary" aria-label="Allow ${name} to act for you">Allow</button>`,
  );

const ownPasswordField = (name: string, errors: FieldErrors) =>
  passwordField({ name, label: 'Your password', error: errors[name] });

const allowView = (visit: Visit, errors: FieldErrors) => html`
<section class="card" aria-labelledby="allow">
<div class="heading">
<h2 id="allow">Allow another broker</h2>
<p class="muted">The broker can then add you as a sub-account once, in the next 7 days. Allow only a broker you work with.</p>
</div>
${formTo(
  visit,
  paths.brokers,
  html`${field({
    name: 'email',
    label: 'E-mail address of the broker',
    error: errors.email,
    control: (attributes) =>
      html`<input${attributes} type="email" autocapitalize="none" spellcheck="false" maxlength="255" required value="${addressIn(visit.fields)}">`,
  })}
${ownPasswordField('password', errors)}
<button>Allow</button>`,
)}
</section>`;
