import type { WebAnswer } from '@crm/contract';
import { html } from '@crm/html';
import { implement } from '@crm/service';
import { calendarFeedSince } from '../calendar-feeds/calendar-feed.queries.ts';
import { createCalendarFeed, removeCalendarFeed } from '../calendar-feeds/own-calendar-feed.ts';
import { accountPageApi, assetApi } from './account.api.ts';
import { secretOnce } from './own-application.page.ts';
import { goTo } from './page.ts';
import { paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { stylesheet, stylesheetName } from './stylesheet.ts';
import { acting, formTo, pageFor, showing, type Visit } from './visit.ts';
import { whoView } from './who.ts';

export const accountPageHandlers = (publicUrl: string) =>
  implement(accountPageApi, {
    show: showing(
      () => paths.account,
      (visit) => accountPage(visit),
    ),

    makeCalendarFeed: acting(
      publicUrl,
      () => paths.calendarFeed,
      async (visit) =>
        accountPage(visit, (await createCalendarFeed(visit.ctx, visit.user.id, publicUrl)).url),
    ),

    removeCalendarFeed: acting(
      publicUrl,
      () => paths.calendarFeedRemoval,
      async ({ ctx, user }) => {
        await removeCalendarFeed(ctx, user.id);
        return goTo(paths.account);
      },
    ),
  });

export const assetHandlers = implement(assetApi, {
  // Another name comes from a page of another version, which must not cache this one.
  get: async (_ctx, { params }) => ({
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control':
        params.name === stylesheetName ? 'public, max-age=31536000, immutable' : 'public, max-age=0',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: stylesheet,
  }),
});

async function accountPage(visit: Visit, newUrl?: string): Promise<WebAnswer> {
  const since = await calendarFeedSince(visit.ctx.query, visit.user.id);
  const main = accountView(visit, { since, newUrl });
  return pageFor(visit, { title: 'Account', section: 'account', main });
}

interface Calendar {
  /** When its link was created, if it has one. */
  readonly since: Date | null;
  readonly newUrl: string | undefined;
}

const accountView = (visit: Visit, { since, newUrl }: Calendar) => html`
${newUrl && secretOnce('This is the new link to your calendar', 'Calendar link', newUrl)}
<h1>Your account</h1>
<section class="card" aria-label="Signed in as">
${whoView(visit.user)}
</section>
<ul class="tiles">
<li><a class="tile" href="${paths.connected}">
<span class="name">Connected applications</span>
<span class="muted">See which applications can use your account, and withdraw their access.</span>
</a></li>
<li><a class="tile" href="${paths.applications}">
<span class="name">Your applications</span>
<span class="muted">Register your own software and get the secrets it needs.</span>
</a></li>
</ul>
<section class="card" aria-labelledby="calendar">
<div class="heading">
<h2 id="calendar">Your tasks in a calendar</h2>
<p class="muted">A calendar program with this link shows your open tasks. Whoever has the link can read them; creating a
new one revokes the previous one.</p>
${since && html`<p class="muted small">The current link was created on ${showDate(since, visit.user.timezone)}.</p>`}
</div>
${formTo(visit, paths.calendarFeed, html`<button>${since ? 'Create a new link' : 'Create a link'}</button>`)}
${since && formTo(visit, paths.calendarFeedRemoval, html`<button class="danger">Revoke the link</button>`)}
</section>`;
