/** Where access tokens come from, and how to replace a refused one. */
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

/** Replaces a refused token, if possible; returns whether there is a new one. */
export async function renew(auth: Auth, refused: string): Promise<boolean> {
  if (typeof auth !== 'object') return false;
  return (await auth.renew(refused)) !== refused;
}
