import { randomUUID } from 'node:crypto';
import type { SigningKey } from '@crm/auth';
import type { Worker } from '@crm/service';
import { repeat } from '@crm/service';
import { exportJWK, generateKeyPair } from 'jose';
import { publishKey } from './key.queries.ts';

/** A key signs for half of the time that its public part is listed, so that every signature can be verified. */
const usedMs = 12 * 3_600_000;
const listedMs = 2 * usedMs;

/** Keeps the key with which this instance signs internal tokens. */
export interface KeyHolder {
  current(): SigningKey;
  readonly worker: Worker;
}

/**
 * Every instance of identity has its own Ed25519 key, generated when it starts and renewed twice a day. The private
 * part never leaves the process; the public part is listed in the database, from which every instance publishes it.
 */
export function keyHolder(): KeyHolder {
  let key: SigningKey | undefined;
  return {
    current() {
      if (!key) throw new Error('The signing key does not exist before the service has started.');
      return key;
    },
    worker: async ({ database, clock, log }) => {
      const renew = async () => {
        const { privateKey, publicKey } = await generateKeyPair('Ed25519');
        const kid = randomUUID();
        const expiresAt = new Date(clock().getTime() + listedMs);
        // Listed first: a token must never arrive before its key can be found.
        await publishKey(database.query, {
          kid,
          jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' },
          expiresAt,
        });
        key = { kid, privateKey };
      };
      await renew();
      return repeat('renew the signing key', usedMs, renew, log);
    },
  };
}
