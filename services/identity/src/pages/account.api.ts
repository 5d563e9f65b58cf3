import { web } from '@crm/contract';
import { z } from 'zod';
import { shownOr303 } from './page-answers.api.ts';

export const accountApi = {
  show: web({
    rest: 'GET /account',
    kind: 'mutation',
    summary: 'Show the account of the user who is signed in',
    answers: shownOr303,
  }),
};

export const assetApi = {
  get: web({
    rest: 'GET /assets/:name',
    kind: 'query',
    summary: 'Get the style sheet of the pages',
    answers: { 200: { 'text/css': z.string() } },
  }),
};
