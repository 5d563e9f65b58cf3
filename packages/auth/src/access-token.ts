import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What secrets of ours begin with: access token, refresh token, authorization code, client secret, calendar feed. */
type Prefix = 'crm_at_' | 'crm_rt_' | 'crm_ac_' | 'crm_cs_' | 'crm_cf_';

const accessTokenForm = /^crm_at_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/**
 * A prefix, 43 characters of base 62 (256 bits, random unless given) and 6 of a CRC-32 over all before it.
 * Secret scanners can find it, and garbage is refused without asking the database.
 */
export function newSecret(prefix: Prefix, bytes: Buffer = randomBytes(32)): string {
  return withChecksum(prefix + base62(bytes, 43));
}

export function newAccessToken(): string {
  return newSecret('crm_at_');
}

/**
 * The token of a sub-account. It can be shown again because it is derived from a key that only identity
 * holds, and it is never stored; another generation is another token.
 */
export function subAccountToken(key: string, subAccountId: number, generation: number): string {
  const bytes = createHmac('sha256', key).update(`sub:${subAccountId}:${generation}`).digest();
  return newSecret('crm_at_', bytes);
}

/** Whether a text could be an access token of ours: the right form and the right checksum. */
export function isAccessToken(text: string): boolean {
  const body = accessTokenForm.exec(text)?.[1];
  return body !== undefined && withChecksum(`crm_at_${body}`) === text;
}

/** What is stored of a secret of ours: its SHA-256. With 256 random bits there is nothing to guess, so a slow hash would add nothing. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function withChecksum(text: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(text));
  return text + base62(checksum, 6);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let place = 0; place < length; place++) {
    text = alphabet[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
