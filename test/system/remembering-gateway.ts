import type { Credential } from '@crm/client';
import { startGatewayAt } from './gateway-at.ts';

const rememberedMs = 1_000;

/**
 * A gateway with a fault: it caches for a second whom a token belongs to. It shows that a test for stale responses
 * would find some.
 */
export function startRememberingGateway(behind: Parameters<typeof startGatewayAt>[0]) {
  const known = new Map<string, { readonly credential: Credential; readonly at: number }>();
  return startGatewayAt(behind, {
    admitThrough: (admit) => async (token, audience, from) => {
      const key = `${audience} ${token}`;
      const old = known.get(key);
      if (old && performance.now() - old.at < rememberedMs) return old.credential;
      const credential = await admit(token, audience, from);
      known.set(key, { credential, at: performance.now() });
      return credential;
    },
  });
}
