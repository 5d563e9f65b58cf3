import { hash } from 'node:crypto';
import { type Credential, setLatest } from '@crm/client';
import type { Admission, Backend, RequestOrigin } from './backend.ts';

/** The credential that a request may use: its own, or that of an earlier request with the same token. */
export interface LentCredential {
  readonly credential: Credential;
  /**
   * Set while the credential is from an earlier request: the pending admission of this one, and the rights of the token at that
   * time.
   */
  readonly confirming?: Promise<Admission>;
  readonly rights?: string | undefined;
}

/** An actor with many teammates takes a few KB, so the cache is bounded. */
const maxKnown = 1_000;

/** Together with identity's reuse window, this is less than a third of the token's lifetime. */
const knownMs = 4_000;

/** Admits requests, and remembers their credentials for some seconds. */
export function rememberAdmissions(admit: Backend['admit']) {
  const known = new Map<string, { readonly admission: Admission; readonly until: number }>();
  const remember = (key: string, admission: Admission) =>
    setLatest(known, key, { admission, until: performance.now() + knownMs }, maxKnown);
  return (token: string, service: string, from: RequestOrigin) => {
    const key = hash('sha256', `${service} ${from.address} ${token}`, 'base64url');
    const found = known.get(key);
    const admitNow = async () => {
      const admission = await admit(token, service, from);
      if (admission.rights !== undefined) remember(key, admission);
      return admission;
    };
    const before = found && performance.now() < found.until ? found.admission : undefined;
    return { admission: admitNow(), before };
  };
}

/**
 * Does work without side effects for a request that is still being admitted. The result is used if the rights of the token are
 * still the same as when the work began; otherwise the work is repeated. So nobody gets data with a token that is no longer
 * valid. Errors of the admission take precedence.
 */
export async function workAhead<Result>(
  { credential, confirming, rights }: LentCredential,
  work: (credential: Credential) => Promise<Result>,
): Promise<Result> {
  const working = work(credential);
  if (!confirming) return working;
  working.catch(() => undefined); // Thrown below, or not needed.
  const admission = await confirming;
  return admission.rights === rights ? working : work(admission.credential);
}
