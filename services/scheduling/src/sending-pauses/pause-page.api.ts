import { page } from '@crm/contract';

/** The stop switch of an account, for its user. */
export const pausePageApi = {
  show: page({
    rest: 'GET /account/sending',
    kind: 'query',
    summary: 'Show whether messages of campaigns are sent on behalf of the user who is signed in',
  }),
  change: page({
    rest: 'POST /account/sending',
    kind: 'mutation',
    summary: 'Stop or resume these messages',
  }),
};
