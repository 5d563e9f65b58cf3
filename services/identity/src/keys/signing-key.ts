import { randomUUID } from 'node:crypto';
import type { SigningKey } from '@crm/auth';
import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { exportJWK, generateKeyPair } from 'jose';
import { forgetExpiredKeys, publishKey } from './key.queries.ts';

/** Half of the time for which its public part is listed, so that every signature can be verified. */
const usedMs = 12 * 3_600_000;
const listedMs = 2 * usedMs;
/** The age is checked often because the key may be too old after the machine was suspended or the database was unavailable. */
const checkMs = 60_000;

/** Keeps the key with which this instance signs internal tokens. */
export interface KeyHolder {
  current(): SigningKey;
  /** Replaces the key if it is too old. After a failure the current key stays. */
  renew(query: Query, now: Date): Promise<void>;
  readonly worker: Worker;
}

/**
 * Every instance of identity has its own Ed25519 key, generated at its start and replaced twice a day. The private part
 * never leaves the process; the public part is listed in the database, from which every instance publishes it.
 */
export function keyHolder(): KeyHolder {
  let current: { readonly key: SigningKey; readonly madeAt: number } | undefined;
  const renew: KeyHolder['renew'] = async (query, now) => {
    if (current && now.getTime() - current.madeAt < usedMs) return;
    const { privateKey, publicKey } = await generateKeyPair('Ed25519');
    const kid = randomUUID();
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' };
    // Listed before it is used: a token must never arrive before its key can be found.
    await publishKey(query, { kid, jwk, expiresAt: new Date(now.getTime() + listedMs) });
    current = { key: { kid, privateKey }, madeAt: now.getTime() };
    await forgetExpiredKeys(query);
  };
  return {
    current() {
      if (!current) throw new Error('The signing key does not exist until the service has started.');
      return current.key;
    },
    renew,
    worker: async ({ database, clock, log }) => {
      const renewNow = () => renew(database.query, clock());
      await renewNow();
      return repeat('renew the signing key', checkMs, renewNow, log);
    },
  };
}
