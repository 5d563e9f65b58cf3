import { web } from '@crm/contract';
import { z } from 'zod';
import { actedOn, formOf, shownOr303 } from './page-answers.api.ts';

const page = { 'text/html': null } as const;
const shownOr404 = { ...shownOr303, 404: page } as const;
/** A secret is shown in the answer itself, because it is kept nowhere that a page after it could read. */
const shownOnce = { ...actedOn, 200: page } as const;

const writable = {
  name: z.string(),
  redirect_uris: z.string().describe('One per line'),
  allows_implicit: z.literal('true').optional(),
};

export const ownApplicationApi = {
  list: web({
    rest: 'GET /account/applications',
    kind: 'mutation',
    summary: 'Show the applications that the user has registered',
    answers: shownOr303,
  }),
  register: web({
    rest: 'POST /account/applications',
    kind: 'mutation',
    summary: 'Register an application; its secret is shown this once',
    body: formOf({ ...writable, is_public: z.literal('true').optional() }),
    answers: shownOnce,
  }),
  show: web({
    rest: 'GET /account/applications/:id',
    kind: 'mutation',
    summary: 'Show an application that the user has registered',
    answers: shownOr404,
  }),
  change: web({
    rest: 'POST /account/applications/:id',
    kind: 'mutation',
    summary: 'Change an application',
    body: formOf(writable),
    answers: actedOn,
  }),
  rotateSecret: web({
    rest: 'POST /account/applications/:id/secret',
    kind: 'mutation',
    summary: 'Give an application a new secret, which is shown this once',
    body: formOf({ at_once: z.literal('true').optional() }),
    answers: shownOnce,
  }),
  makeToken: web({
    rest: 'POST /account/applications/:id/tokens',
    kind: 'mutation',
    summary: 'Make an access token of one’s own, which is shown this once',
    body: formOf({ name: z.string(), scope: z.enum(['read', 'write']) }),
    answers: shownOnce,
  }),
  revokeToken: web({
    rest: 'POST /account/applications/:id/tokens/:token_id/revoke',
    kind: 'mutation',
    summary: 'Revoke an access token of one’s own',
    body: formOf(),
    answers: actedOn,
  }),
  askToRemove: web({
    rest: 'GET /account/applications/:id/remove',
    kind: 'mutation',
    summary: 'Ask whether to remove an application',
    answers: shownOr404,
  }),
  remove: web({
    rest: 'POST /account/applications/:id/remove',
    kind: 'mutation',
    summary: 'Remove an application with its consents and tokens',
    body: formOf(),
    answers: actedOn,
  }),
};
