import { hash } from 'node:crypto';
import { type Credential, setLatest } from '@crm/client';
import type { Admission, Backend, RequestOrigin } from './backend.ts';

/** What a request may work with: its own credential, or that of an earlier request with the same token. */
export interface LentCredential {
  readonly credential: Credential;
  /** Set while it is that of an earlier request: the admission of this one, and what the token proved then. */
  readonly confirming?: Promise<Admission>;
  readonly rights?: string | undefined;
}

/** An actor with many teammates takes a few KB, so the cache is bounded. */
const maxKnown = 1_000;

/** Together with identity's reuse window this stays under a third of the token's lifetime. */
const knownMs = 4_000;

/** Admits requests, and remembers for some seconds with what. */
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
 * Does work that changes nothing for a request that is still being admitted. The result counts if the token proves what it
 * proved when the work began, and otherwise the work is done again; so nobody learns anything with a token that is no longer
 * valid. Throws what the admission throws before anything else.
 */
export async function workAhead<Result>(
  { credential, confirming, rights }: LentCredential,
  work: (credential: Credential) => Promise<Result>,
): Promise<Result> {
  const working = work(credential);
  if (!confirming) return working;
  working.catch(() => undefined); // Thrown below, or of no interest.
  const admission = await confirming;
  return admission.rights === rights ? working : work(admission.credential);
}
