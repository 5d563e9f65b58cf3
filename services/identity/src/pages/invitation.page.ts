import type { WebAnswer } from '@crm/contract';
import { html } from '@crm/html';
import { delegationsOfBroker, type ShownDelegation } from '../delegations/delegations-of.queries.ts';
import { Switches } from '../sub-accounts/sub-account.api.ts';
import { addressIn, type FormProblem, field, problemView } from './form.ts';
import { paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { switchesIn, switchFields } from './switches.ts';
import { formTo, pageFor, type Visit } from './visit.ts';

export async function subAccountsPage(visit: Visit, problem?: FormProblem): Promise<WebAnswer> {
  const delegations = await delegationsOfBroker(visit.ctx.query, visit.user.id);
  const main = html`
${problemView(problem)}
<div class="heading">
<p><a href="${paths.account}">Your account</a></p>
<h1>Your sub-accounts</h1>
<p class="lead">You act for a user with the access token of the sub-account, as long as the user allows it.</p>
</div>
<section class="card" aria-label="Sub-accounts">
${
  delegations.length > 0
    ? html`<ul class="rows">${delegations.map((one) => rowView(visit, one))}</ul>`
    : html`<p class="muted">You have no sub-accounts and no open invitations.</p>`
}
</section>
${inviteView(visit, problem)}`;
  return pageFor(visit, { problem, title: 'Your sub-accounts', section: 'account', main });
}

function rowView(visit: Visit, one: ShownDelegation) {
  const word = one.sub_account_id !== null ? 'Remove' : 'Withdraw';
  return html`<li>
<div class="heading">
<h2>${one.name} <span class="tag">${stateOf(one)}</span></h2>
${one.name !== one.email && html`<p class="muted">${one.email}</p>`}
<p class="muted small">${explanation(visit, one)}</p>
</div>
${formTo(
  visit,
  paths.subAccountEnd(one.id),
  html`<button class="danger" aria-label="${word} ${one.name}">${word}</button>`,
)}
</li>`;
}

function stateOf({ state, given_at, sub_account_id }: ShownDelegation): string {
  if (state === 'active') return 'active';
  if (sub_account_id !== null) return 'suspended';
  return given_at === null ? 'invited' : 'allowed';
}

function explanation({ user: { timezone } }: Visit, one: ShownDelegation) {
  const until = one.expires_at && html` until ${showDate(one.expires_at, timezone)}`;
  if (one.state === 'active' && one.given_at)
    return html`You have acted for this user since ${showDate(one.given_at, timezone)} ·
${one.last_used_at === null ? 'never used' : html`last used ${showDate(one.last_used_at, timezone)}`}`;
  if (one.sub_account_id !== null)
    return 'You cannot act for this user until the user allows it on the account page.';
  if (one.given_at === null) return html`The user can accept on the account page${until}.`;
  return html`You can add this user through the API once${until}.`;
}

const inviteView = (visit: Visit, problem: FormProblem | undefined) => html`
<section class="card" aria-labelledby="invite">
<div class="heading">
<h2 id="invite">Invite a user</h2>
<p class="muted">If an account has this address, its user will find the invitation under "Who may act for you" on the account
page, and can accept it for 7 days. No message is sent.</p>
</div>
${formTo(
  visit,
  paths.subAccounts,
  html`${field({
    name: 'email',
    label: 'E-mail address of the user',
    error: problem?.errors?.email,
    control: (attributes) =>
      html`<input${attributes} type="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="255" required value="${addressIn(visit.fields)}">`,
  })}
${switchFields(problem ? switchesIn(visit.fields) : Switches.parse({}))}
<button class="primary">Invite</button>`,
)}
</section>`;
