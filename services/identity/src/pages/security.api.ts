import { page } from '@crm/contract';

export const securityPageApi = {
  show: page({
    rest: 'GET /account/security',
    kind: 'mutation',
    summary: 'Show what has access to the account, and what happened to it',
  }),
  changePassword: page({
    rest: 'POST /account/password',
    kind: 'mutation',
    summary: 'Change the password of the user who is signed in',
  }),
  endDevice: page({
    rest: 'POST /account/security/devices/:device_id/end',
    kind: 'mutation',
    summary: 'Sign a browser out and forget it',
  }),
  revokeToken: page({
    rest: 'POST /account/security/tokens/:token_id/revoke',
    kind: 'mutation',
    summary: 'Revoke an access token of the user',
  }),
  signOutEverywhere: page({
    rest: 'POST /account/security/sign-out',
    kind: 'mutation',
    summary: 'Sign all browsers out and forget them',
  }),
};
