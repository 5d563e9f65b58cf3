import { page } from '@crm/contract';

export const accountApi = {
  show: page({
    rest: 'GET /account',
    kind: 'mutation',
    summary: 'Show the account of the user who is signed in',
  }),
  makeCalendarFeed: page({
    rest: 'POST /account/calendar-feed',
    kind: 'mutation',
    summary: 'Make the link of the user’s calendar, which is shown this once',
  }),
  removeCalendarFeed: page({
    rest: 'POST /account/calendar-feed/remove',
    kind: 'mutation',
    summary: 'Revoke the link of the user’s calendar',
  }),
};

export const assetApi = {
  get: page({
    rest: 'GET /assets/:name',
    kind: 'query',
    summary: 'Get the style sheet of the pages',
  }),
};
