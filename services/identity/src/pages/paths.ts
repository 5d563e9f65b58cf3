/** Where the pages are; the contracts declare the same paths as templates. */
export const paths = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  account: '/account',
  applications: '/account/applications',
  application: (id: number | string) => `/account/applications/${id}`,
  secret: (id: number | string) => `/account/applications/${id}/secret`,
  tokens: (id: number | string) => `/account/applications/${id}/tokens`,
  revocation: (id: number | string, tokenId: number | string) =>
    `/account/applications/${id}/tokens/${tokenId}/revoke`,
  removal: (id: number | string) => `/account/applications/${id}/remove`,
  connected: '/account/connected-applications',
  withdrawal: (id: number | string) => `/account/connected-applications/${id}/withdraw`,
} as const;
