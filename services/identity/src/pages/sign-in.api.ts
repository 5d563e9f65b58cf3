import { web } from '@crm/contract';
import { z } from 'zod';
import { formOf, shownOr303 } from './page-answers.api.ts';

export const signInApi = {
  show: web({
    rest: 'GET /sign-in',
    kind: 'mutation',
    summary: 'Show the sign-in page',
    query: z.object({ continue: z.string().optional() }),
    answers: shownOr303,
  }),
  signIn: web({
    rest: 'POST /sign-in',
    kind: 'mutation',
    summary: 'Sign in',
    body: formOf({ email: z.string(), password: z.string(), continue: z.string().optional() }),
    answers: { 303: {}, 403: { 'text/html': null }, 422: { 'text/html': null }, 429: { 'text/html': null } },
  }),
};

export const signOutApi = {
  signOut: web({
    rest: 'POST /sign-out',
    kind: 'mutation',
    summary: 'Sign out',
    body: formOf({ continue: z.string().optional() }),
    answers: { 303: {}, 403: { 'text/html': null } },
  }),
};
