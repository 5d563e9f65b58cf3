import { page } from '@crm/contract';

export const accountApi = {
  show: page({
    rest: 'GET /account',
    kind: 'mutation',
    summary: 'Show the account of the user who is signed in',
  }),
};

export const assetApi = {
  get: page({
    rest: 'GET /assets/:name',
    kind: 'query',
    summary: 'Get the style sheet of the pages',
  }),
};
