import { page } from '@crm/contract';

export const connectedApplicationApi = {
  list: page({
    rest: 'GET /account/connected-applications',
    kind: 'mutation',
    summary: 'Show the applications that may use the account',
  }),
  withdraw: page({
    rest: 'POST /account/connected-applications/:application_id/withdraw',
    kind: 'mutation',
    summary: 'Withdraw the access of an application',
  }),
};
