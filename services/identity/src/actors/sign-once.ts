import { type Actor, actorAt, signInternalToken, type VerifiedToken } from '@crm/auth';
import type { KeyHolder } from '../keys/signing-key.ts';

/** The actor who presented a token, and for an internal token its expiry. */
export type Presented = Pick<VerifiedToken, 'actor'> & Partial<VerifiedToken>;

interface Purpose {
  readonly audience: string;
  /** Where the request came from, if it came through the gateway. */
  readonly address?: string | null;
}

interface Signed extends Purpose {
  readonly at: number;
  readonly token: Promise<string>;
}

/** The rest of the 30 seconds and the tolerance of the verifier together must last as long as a request may take. */
const reusedMs = 4_000;

/**
 * Signs an internal token for a purpose, and returns it again for some seconds to the same actor: a signature costs
 * more than most requests. The cache is keyed by the actor object, and changed rights are another object.
 */
export function signingOnce(keys: Pick<KeyHolder, 'current'>) {
  const signed = new WeakMap<Actor, Map<string, Signed>>();
  return (presented: Presented, { audience, address }: Purpose, now: Date): Promise<string> => {
    const ofActor = signed.get(presented.actor) ?? new Map<string, Signed>();
    signed.set(presented.actor, ofActor);
    const last = ofActor.get(audience);
    const isRecent = last && last.at <= now.getTime() && now.getTime() < last.at + reusedMs;
    if (isRecent && last.address === address) return last.token;
    const actor = address === undefined ? presented.actor : actorAt(presented.actor, address);
    const token = signInternalToken({ ...presented, actor }, audience, keys.current(), now);
    ofActor.set(audience, { audience, address, at: now.getTime(), token });
    token.catch(() => ofActor.delete(audience));
    return token;
  };
}
