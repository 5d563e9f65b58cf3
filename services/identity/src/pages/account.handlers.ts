import { implement } from '@crm/service';
import { createCalendarFeed, removeCalendarFeed } from '../calendar-feeds/own-calendar-feed.ts';
import { accountPageApi, assetApi } from './account.api.ts';
import { accountPage } from './account.page.ts';
import { goTo } from './page.ts';
import { paths } from './paths.ts';
import { stylesheet, stylesheetName } from './stylesheet.ts';
import { acting, showing } from './visit.ts';

export const accountPageHandlers = (publicUrl: string) =>
  implement(accountPageApi, {
    show: showing(paths.account, accountPage),

    makeCalendarFeed: acting(publicUrl, paths.calendarFeed, async (visit) => {
      const { url } = await createCalendarFeed(visit.ctx, visit.user.id, publicUrl);
      return accountPage(visit, { newUrl: url });
    }),

    removeCalendarFeed: acting(publicUrl, paths.calendarFeedRemoval, async ({ ctx, user }) => {
      await removeCalendarFeed(ctx, user.id);
      return goTo(paths.account);
    }),
  });

export const assetHandlers = implement(assetApi, {
  // Any other name comes from a page of another version, which must not cache this style sheet.
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
