import type { TokenSource } from './auth.ts';
import { type OAuth, OAuthError, type Tokens } from './oauth.ts';

/** Where the tokens of a user are kept. A refresh token works once, so what is saved replaces what was there. */
export interface TokenStore {
  load(): Tokens | undefined | Promise<Tokens | undefined>;
  save(tokens: Tokens): void | Promise<void>;
}

/** Runs work while nobody else runs theirs, in any process that shares the store. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The access token of a user, refreshed when it is refused. However many requests need another one at once, it is refreshed
 * once: in a process, between tabs and workers, and between processes that share a store and a lock. What another one has
 * saved meanwhile is used.
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
    // Whether it has ended, the API knows better than the clock of this machine.
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
    // Without a common lock, another process may have used the refresh token before.
    const now = await store.load();
    if (error instanceof OAuthError && now && now.refreshToken !== kept.refreshToken) return now;
    throw error;
  }
}

/** That of the browser or of Node, if there is one: it holds for all tabs and workers. */
function ownLock({ clientId }: OAuth): Lock {
  const locks = globalThis.navigator?.locks;
  return (work) => (locks ? locks.request(`crm-oauth ${clientId}`, work) : work()) as ReturnType<typeof work>;
}
