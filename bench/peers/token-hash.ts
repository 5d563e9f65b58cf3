import { createHash } from 'node:crypto';

/** The hash by which a token is stored; undefined if the header holds none. */
export function tokenHashOf(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : createHash('sha256').update(token).digest('hex');
}
