/** Where access tokens come from, and how to get another one when one is refused. */
export interface TokenSource {
  current(): Promise<string>;
  /** Called with a token that was refused. */
  renew(refused: string): Promise<string>;
}

/** A token, a function that returns the current one, or what `session` returns. */
export type Auth = string | (() => string | Promise<string>) | TokenSource;

export const tokenOf = async (auth: Auth): Promise<string> => {
  if (typeof auth === 'string') return auth;
  return typeof auth === 'function' ? auth() : auth.current();
};

/** Gets another token after one was refused, if there may be one; returns whether there is. */
export async function renew(auth: Auth, refused: string): Promise<boolean> {
  if (typeof auth !== 'object') return false;
  return (await auth.renew(refused)) !== refused;
}
