import type { VerifiedToken } from '@crm/auth';
import { setLatest } from '@crm/client';
import { machineClock } from './clock.ts';

/** An actor with many teammates takes a few KB, so the cache is bounded. */
const maxVerified = 2_000;

/**
 * Verifies each token once while it is valid: a signature costs more than most requests, and callers use a token for seconds.
 * The same token gives the same object.
 */
export function rememberVerified() {
  const known = new Map<string, VerifiedToken>();
  return async (token: string, verify: () => Promise<VerifiedToken>): Promise<VerifiedToken> => {
    const found = known.get(token);
    if (found && found.expiresAt > machineClock()) return found;
    const verified = await verify();
    setLatest(known, token, verified, maxVerified);
    return verified;
  };
}
