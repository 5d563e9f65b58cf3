import { createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { secretPrefixes } from './secret-prefixes.ts';

const accessTokenForm = new RegExp(`^(${secretPrefixes.accessToken}[0-9A-Za-z]{43})[0-9A-Za-z]{6}$`);

/**
 * A prefix, 43 base-62 characters (256 bits, random by default) and 6 of a CRC-32 over everything before them. Secret scanners
 * can find it, and invalid texts are refused without a query.
 */
export function newSecret(kind: keyof typeof secretPrefixes, bytes: Buffer = randomBytes(32)): string {
  return withChecksum(secretPrefixes[kind] + base62(bytes, 43));
}

export function newAccessToken(): string {
  return newSecret('accessToken');
}

/**
 * The token of a sub-account. It is never stored, and can be shown again because it is derived from a key that only
 * identity has; each generation has a different token.
 */
export function subAccountToken(key: string, subAccountId: number, generation: number): string {
  const bytes = createHmac('sha256', key).update(`sub:${subAccountId}:${generation}`).digest();
  return newSecret('accessToken', bytes);
}

/** Whether a text has the form and the checksum of an access token. */
export function isAccessToken(text: string): boolean {
  const body = accessTokenForm.exec(text)?.[1];
  return body !== undefined && withChecksum(body) === text;
}

/** Whether a text begins like the token of the operator or of a service. */
export function isSystemToken(text: string): boolean {
  return text.startsWith(secretPrefixes.operatorToken) || text.startsWith(secretPrefixes.serviceToken);
}

/**
 * The SHA-256 of a secret, which is stored instead of it. Its 256 random bits cannot be guessed, so a slow hash is not needed.
 */
export function hashOfToken(token: string): string {
  return hash('sha256', token);
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
  for (let i = 0; i < length; i++) {
    text = alphabet[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
