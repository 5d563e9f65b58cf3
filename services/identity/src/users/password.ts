import { argon2, type BinaryLike, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(argon2);

/** The minimum that OWASP recommends for argon2id: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** The PHC string of a password: argon2id (RFC 9106), its cost, its salt and its tag. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await hash('argon2id', { message: password, nonce, ...cost });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Stored for a user who has not chosen a password yet. No password matches it. */
export const noPassword = '';

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Returns true if the password matches a PHC string, whatever cost it was hashed with. */
export async function isPassword(password: string, phcString: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = phc.exec(phcString) ?? [];
  if (salt === undefined || tag === undefined) return false;
  const wanted = Buffer.from(tag, 'base64');
  const message: BinaryLike = password;
  const found = await hash('argon2id', {
    message,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted);
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
