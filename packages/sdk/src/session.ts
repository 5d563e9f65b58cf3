import type { TokenSource } from './auth.ts';
import { type OAuth, OAuthError, type Tokens } from './oauth.ts';

/** Where the tokens of a user are kept. A refresh token works once, so each save replaces the previous tokens. */
export interface TokenStore {
  load(): Tokens | undefined | Promise<Tokens | undefined>;
  save(tokens: Tokens): void | Promise<void>;
}

/** Runs work exclusively among all processes that share the store. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The access token of a user, refreshed when it is refused. However many requests need a new one at once, it is refreshed only
 * once: within a process, across tabs and workers, and across processes that share a store and a lock. Tokens that another one
 * has saved meanwhile are used.
 */
export function session(oauth: OAuth, store: TokenStore, lock: Lock = ownLock(oauth)): TokenSource {
  let renewing: Promise<Tokens> | undefined;
  const replace = async (refused: string): Promise<Tokens> => {
    const kept = await demand(store);
    return kept.accessToken === refused ? refreshAndStore(oauth, store, kept) : kept;
  };
  const renew = async (refused: string): Promise<string> => {
    renewing ??= lock(() => replace(refused)).finally(() => {
      renewing = undefined;
    });
    return (await renewing).accessToken;
  };
  return {
    // Expiry is left to the API, because the clock of this machine may be wrong.
    current: async () => (await demand(store)).accessToken,
    renew,
  };
}

async function demand(store: TokenStore): Promise<Tokens> {
  const tokens = await store.load();
  if (!tokens) throw new OAuthError('invalid_grant', 'Nobody is signed in.');
  return tokens;
}

async function refreshAndStore(oauth: OAuth, store: TokenStore, kept: Tokens): Promise<Tokens> {
  try {
    const tokens = await oauth.refresh(kept.refreshToken);
    await store.save(tokens);
    return tokens;
  } catch (error) {
    // Without a shared lock, another process may already have used the refresh token.
    const now = await store.load();
    if (error instanceof OAuthError && now && now.refreshToken !== kept.refreshToken) return now;
    throw error;
  }
}

/** The lock of the browser or of Node, if there is one, which covers all tabs and workers. */
function ownLock({ clientId }: OAuth): Lock {
  const locks = globalThis.navigator?.locks;
  return (work) => (locks ? locks.request(`crm-oauth ${clientId}`, work) : work()) as ReturnType<typeof work>;
}
