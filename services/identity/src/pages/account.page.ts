import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import { calendarFeedSince } from '../calendar-feeds/calendar-feed.queries.ts';
import { currentUser } from '../me/me.queries.ts';
import { teamsOfUser } from '../team-members/teams-of-user.queries.ts';
import { unreachableOf } from '../unreachable-addresses/unreachable-address.queries.ts';
import { type FormProblem, problemView } from './form.ts';
import { secretOnce } from './own-application.page.ts';
import { paths } from './paths.ts';
import { confirmationView, profileView } from './profile.page.ts';
import type { ProfileFields } from './profile-form.ts';
import { showDate } from './show-date.ts';
import { unreachableView } from './unreachable.page.ts';
import { formTo, pageFor, type Visit } from './visit.ts';
import { whoView } from './who.ts';

/** What the account page shows besides the stored values. */
interface Shown {
  readonly problem?: FormProblem;
  /** A profile that was entered but not saved. */
  readonly typed?: ProfileFields;
  /** A calendar link that was just created. */
  readonly newUrl?: string;
}

export async function accountPage(visit: Visit, { problem, typed, newUrl }: Shown = {}): Promise<WebAnswer> {
  const { query } = visit.ctx;
  const user = await currentUser(query, visit.user.id);
  const since = await calendarFeedSince(query, visit.user.id);
  const teams = await teamsOfUser(query, visit.user.id);
  const stored = {
    first_name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    phone: user.pending_phone ?? user.phone ?? '',
    timezone: user.timezone,
    has_text_alerts: user.has_text_alerts,
    has_call_alerts: user.has_call_alerts,
  };
  const main = html`
${newUrl && secretOnce('This is the new link to your calendar', 'calendar link', newUrl)}
${problemView(problem)}
<h1>Your account</h1>
<section class="card" aria-label="Signed in as">
${whoView(visit.user)}
</section>
${unreachableView(visit, await unreachableOf(query, visit.user.id))}
${user.pending_phone !== null && confirmationView(visit, user, problem?.errors?.code)}
${profileView(visit, typed ?? stored, problem?.errors)}
${tiles(visit, teams.filter(({ request_status }) => request_status === 'Pending').length)}
${calendarView(visit, since)}`;
  return pageFor(visit, {
    problem,
    title: 'Account',
    section: 'account',
    main,
    canCopy: newUrl !== undefined,
  });
}

const tile = (path: string, name: Content, text: string) => html`<li><a class="tile" href="${path}">
<span class="name">${name}</span>
<span class="muted">${text}</span>
</a></li>`;

const tiles = ({ user }: Visit, invitations: number) => html`<ul class="tiles">
${
  user.is_broker
    ? tile(paths.subAccounts, 'Your sub-accounts', 'See the users you act for, and invite others.')
    : tile(paths.brokers, 'Who may act for you', 'Answer invitations from brokers, and end their access.')
}
${tile(
  paths.teams,
  html`Your teams ${invitations > 0 && html`<span class="tag">${invitations} to answer</span>`}`,
  'Answer invitations, and see or leave the teams you belong to.',
)}
${tile(
  paths.security,
  'Security',
  'Change your password, and see where you are signed in and what may use your account.',
)}
${tile(paths.sending, 'Campaign messages', 'See whether they are sent on your behalf; stop and resume them.')}
${tile(paths.pausedTexts, 'Paused texts', 'Decide about contacts who asked to be left alone.')}
${tile(
  paths.imports,
  'Contacts from a file',
  'Import contacts from a spreadsheet or another program, and export yours.',
)}
${tile(
  paths.connected,
  'Connected applications',
  'See which applications can use your account, and withdraw their access.',
)}
${tile(paths.applications, 'Your applications', 'Register your own software and get the secrets it needs.')}
</ul>`;

const calendarView = (visit: Visit, since: Date | null) => html`
<section class="card" aria-labelledby="calendar">
<div class="heading">
<h2 id="calendar">Your tasks in a calendar</h2>
<p class="muted">A calendar program with this link shows your open tasks. Anybody with the link can read them; creating a
new one revokes the previous one.</p>
${since && html`<p class="muted small">The current link was created on ${showDate(since, visit.user.timezone)}.</p>`}
</div>
${formTo(visit, paths.calendarFeed, html`<button>${since ? 'Create a new link' : 'Create a link'}</button>`)}
${since && formTo(visit, paths.calendarFeedRemoval, html`<button class="danger">Revoke the link</button>`)}
</section>`;
