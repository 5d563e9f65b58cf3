import type { Admission } from '@crm/gateway';
import { startGatewayAt } from './gateway-at.ts';

const rememberedMs = 1_000;

/**
 * A gateway with a fault: it caches for a second whom a token belongs to. It shows that a test for stale responses
 * would find some.
 */
export function startRememberingGateway(behind: Parameters<typeof startGatewayAt>[0]) {
  const known = new Map<string, { readonly admission: Admission; readonly at: number }>();
  return startGatewayAt(behind, {
    admitThrough: (admit) => async (token, audience, from) => {
      const key = `${audience} ${token}`;
      const old = known.get(key);
      if (old && performance.now() - old.at < rememberedMs) return old.admission;
      const admission = await admit(token, audience, from);
      known.set(key, { admission, at: performance.now() });
      return admission;
    },
  });
}
