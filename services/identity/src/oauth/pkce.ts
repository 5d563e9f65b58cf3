import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns true if a code is exchanged by the client that requested it (RFC 7636 §4.6). A verifier for a code without a
 * challenge is refused too, because an attacker could have removed the challenge from the request (RFC 9700 §4.8.2).
 */
export function provesKey(challenge: string | null | undefined, verifier: string | undefined): boolean {
  if (!challenge || verifier === undefined) return !challenge && verifier === undefined;
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const hash = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}
