import { page } from '@crm/contract';

export const signInApi = {
  show: page({
    rest: 'GET /sign-in',
    kind: 'mutation',
    summary: 'Show the sign-in page',
  }),
  signIn: page({
    rest: 'POST /sign-in',
    kind: 'mutation',
    summary: 'Sign in',
  }),
};

export const signOutApi = {
  signOut: page({
    rest: 'POST /sign-out',
    kind: 'mutation',
    summary: 'Sign out',
  }),
};
