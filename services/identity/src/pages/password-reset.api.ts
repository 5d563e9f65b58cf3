import { page } from '@crm/contract';

export const passwordResetApi = {
  ask: page({
    rest: 'GET /forgotten-password',
    kind: 'mutation',
    summary: 'Ask for the e-mail address of somebody who forgot their password',
  }),
  send: page({
    rest: 'POST /forgotten-password',
    kind: 'mutation',
    summary: 'Send a link to choose a new password',
  }),
  show: page({
    rest: 'GET /reset-password/:token',
    kind: 'mutation',
    summary: 'Ask for a new password; this changes nothing',
  }),
  reset: page({
    rest: 'POST /reset-password/:token',
    kind: 'mutation',
    summary: 'Set the new password of the user to whom the link was sent',
  }),
};
