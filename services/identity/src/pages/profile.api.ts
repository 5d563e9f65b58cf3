import { page } from '@crm/contract';

export const profilePageApi = {
  change: page({
    rest: 'POST /account/profile',
    kind: 'mutation',
    summary: 'Change the profile of the user who is signed in',
  }),
  confirmPhone: page({
    rest: 'POST /account/phone/confirm',
    kind: 'mutation',
    summary: 'Confirm the pending phone number with a code',
  }),
  sendCode: page({
    rest: 'POST /account/phone/code',
    kind: 'mutation',
    summary: 'Send another code to the pending phone number',
  }),
  tryAgain: page({
    rest: 'POST /account/reachable',
    kind: 'mutation',
    summary: 'Resume sending alerts to an address or a number of the user that could not be reached',
  }),
};
