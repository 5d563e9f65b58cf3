import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether who presents a code is who asked for it (RFC 7636 §4.6). A verifier for a code that was asked without
 * a challenge is refused too: somebody has taken the challenge away on its way (RFC 9700 §4.8.2).
 */
export function provesKey(challenge: string | null | undefined, verifier: string | undefined): boolean {
  if (!challenge || verifier === undefined) return !challenge && verifier === undefined;
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const hash = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}
