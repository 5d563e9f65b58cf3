import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Access tokens are `crm_at_`, 43 characters of base 62 (256 random bits) and 6 of a CRC-32 over all before
 * it. Secret scanners can find them, and garbage is refused without asking the database.
 */
const prefix = 'crm_at_';
const form = /^crm_at_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export function newAccessToken(): string {
  return accessTokenFrom(randomBytes(32));
}

/**
 * The token of a sub-account. It can be shown again because it is derived from a key that only identity
 * holds, and it is never stored; another generation is another token.
 */
export function subAccountToken(key: string, subAccountId: number, generation: number): string {
  return accessTokenFrom(createHmac('sha256', key).update(`sub:${subAccountId}:${generation}`).digest());
}

function accessTokenFrom(bytes: Buffer): string {
  return withChecksum(prefix + base62(bytes, 43));
}

/** Whether a text could be an access token of ours: the right form and the right checksum. */
export function isAccessToken(text: string): boolean {
  const body = form.exec(text)?.[1];
  return body !== undefined && withChecksum(prefix + body) === text;
}

/** What is stored of a token: its SHA-256. With 256 random bits there is nothing to guess, so a slow hash would add nothing. */
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
