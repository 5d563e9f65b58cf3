/** Where the pages are; the contracts declare the same paths as templates. */
export const paths = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  authorize: '/oauth2/authorize',
  account: '/account',
  applications: '/account/applications',
  connected: '/account/connected-applications',
} as const;
