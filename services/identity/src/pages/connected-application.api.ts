import { web } from '@crm/contract';
import { actedOn, formOf, shownOr303 } from './page-answers.api.ts';

export const connectedApplicationApi = {
  list: web({
    rest: 'GET /account/connected-applications',
    kind: 'mutation',
    summary: 'Show the applications that may use the account',
    answers: shownOr303,
  }),
  withdraw: web({
    rest: 'POST /account/connected-applications/:application_id/withdraw',
    kind: 'mutation',
    summary: 'Withdraw the access of an application',
    body: formOf(),
    answers: actedOn,
  }),
};
