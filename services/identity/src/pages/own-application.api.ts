import { page } from '@crm/contract';

export const ownApplicationApi = {
  list: page({
    rest: 'GET /account/applications',
    kind: 'mutation',
    summary: 'Show the applications that the user has registered',
  }),
  register: page({
    rest: 'POST /account/applications',
    kind: 'mutation',
    summary: 'Register an application; its secret is shown this once',
  }),
  show: page({
    rest: 'GET /account/applications/:id',
    kind: 'mutation',
    summary: 'Show an application that the user has registered',
  }),
  change: page({
    rest: 'POST /account/applications/:id',
    kind: 'mutation',
    summary: 'Change an application',
  }),
  rotateSecret: page({
    rest: 'POST /account/applications/:id/secret',
    kind: 'mutation',
    summary: 'Give an application a new secret, which is shown this once',
  }),
  makeToken: page({
    rest: 'POST /account/applications/:id/tokens',
    kind: 'mutation',
    summary: 'Make an access token of one’s own, which is shown this once',
  }),
  revokeToken: page({
    rest: 'POST /account/applications/:id/tokens/:token_id/revoke',
    kind: 'mutation',
    summary: 'Revoke an access token of one’s own',
  }),
  askToRemove: page({
    rest: 'GET /account/applications/:id/remove',
    kind: 'mutation',
    summary: 'Ask whether to remove an application',
  }),
  remove: page({
    rest: 'POST /account/applications/:id/remove',
    kind: 'mutation',
    summary: 'Remove an application with its consents and tokens',
  }),
};
