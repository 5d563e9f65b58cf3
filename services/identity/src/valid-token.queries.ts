/** A SQL condition: the access token is neither revoked nor expired. `token` is its table or an alias. */
export const isValidToken = (token: string) =>
  `(${token}.revoked_at is null and ${token}.expires_at > now())`;
