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
    summary: 'Register an application; its secret is shown only once',
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
    summary: 'Create a new client secret and show it once',
  }),
  makeToken: page({
    rest: 'POST /account/applications/:id/tokens',
    kind: 'mutation',
    summary: 'Create a personal access token for an application and show it once',
  }),
  revokeToken: page({
    rest: 'POST /account/applications/:id/tokens/:token_id/revoke',
    kind: 'mutation',
    summary: 'Revoke a personal access token of an application',
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
