import { type Actor, actorAt, signInternalToken, type VerifiedToken } from '@crm/auth';
import type { KeyHolder } from '../keys/signing-key.ts';

/** Who has presented something, and until when that is valid if it is an internal token. */
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

/** What is left of 30 seconds, and the tolerance of whoever verifies it, are as long as a request may take. */
const reusedMs = 4_000;

/**
 * Signs an internal token for a purpose, and gives it out again to whoever presents the same for some seconds: a signature
 * costs more than most requests. Whoever has other rights is another object.
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
