import type { WebAnswer } from '@crm/contract';
import { html } from '@crm/html';
import { type JoinedTeam, teamsOfUser } from '../team-members/teams-of-user.queries.ts';
import { type FormProblem, problemView } from './form.ts';
import { paths } from './paths.ts';
import { formTo, pageFor, type Visit } from './visit.ts';

export async function teamsPage(visit: Visit, problem?: FormProblem): Promise<WebAnswer> {
  const teams = await teamsOfUser(visit.ctx.query, visit.user.id);
  const main = html`
${problemView(problem)}
<div class="heading">
<p><a href="${paths.account}">Your account</a></p>
<h1>Your teams</h1>
<p class="lead">The members of a team see each other, and can be offered each other's leads. You can leave a team at any
time, and join again while you are invited.</p>
</div>
<section class="card" aria-label="Teams">
${
  teams.length > 0
    ? html`<ul class="rows">${teams.map((team) => rowView(visit, team))}</ul>`
    : html`<p class="muted">You do not belong to a team, and none has invited you.</p>`
}
</section>`;
  return pageFor(visit, { problem, title: 'Your teams', section: 'account', main });
}

function rowView(visit: Visit, one: JoinedTeam) {
  const { id, team, creator, is_creator, shares_contacts, members, request_status } = one;
  return html`<li>
<div class="heading">
<h2>${team} ${!is_creator && html`<span class="tag">${states[request_status]}</span>`}</h2>
<p class="muted">${is_creator ? 'You created it' : html`Created by ${creator}`} ·
${members === 1 ? 'one member' : `${members} members`}</p>
<p class="muted small">${
    shares_contacts ? "Its members see each other's contacts." : 'Its members do not share their contacts.'
  }</p>
</div>
${!is_creator && formTo(visit, paths.teamAnswer(id), html`<div class="answers">${buttons(one)}</div>`)}
</li>`;
}

const states = { Pending: 'invited', Accepted: 'joined', Declined: 'declined' } as const;

function buttons({ request_status, team }: JoinedTeam) {
  const leave = request_status === 'Accepted' ? 'Leave' : 'Decline';
  return html`${
    request_status !== 'Accepted' &&
    html`<button class="primary" name="answer" value="accept" aria-label="Accept the invitation to ${team}">Accept</button>`
  }${
    request_status !== 'Declined' &&
    html`<button class="danger" name="answer" value="decline" aria-label="${leave} ${team}">${leave}</button>`
  }`;
}
