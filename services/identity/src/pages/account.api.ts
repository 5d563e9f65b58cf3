import { page } from '@crm/contract';

export const accountPageApi = {
  show: page({
    rest: 'GET /account',
    kind: 'mutation',
    summary: 'Show the account of the user who is signed in',
  }),
  makeCalendarFeed: page({
    rest: 'POST /account/calendar-feed',
    kind: 'mutation',
    summary: "Create the link to the user's calendar and show it once",
  }),
  removeCalendarFeed: page({
    rest: 'POST /account/calendar-feed/remove',
    kind: 'mutation',
    summary: "Revoke the link to the user's calendar",
  }),
};

export const assetApi = {
  get: page({
    rest: 'GET /assets/:name',
    kind: 'query',
    summary: 'Get the style sheet of the pages',
  }),
};
