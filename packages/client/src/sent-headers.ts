import { randomUUID } from 'node:crypto';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The token of `Authorization: Bearer` (RFC 6750 §2.1), or undefined. */
export const bearerTokenIn = ({ authorization = '' }: Headers): string | undefined =>
  /^Bearer +(\S+)$/i.exec(String(authorization))?.[1];

/** The id of a request in responses, logs and events: the caller's own if it is safe to log, else a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/** What a client prefers (RFC 7240), of what this API knows. */
export interface Preferences {
  /** `handling=strict`: ignore nothing in the request. */
  readonly strict: boolean;
  /** `return=minimal`: do not send the record that was changed. */
  readonly minimal: boolean;
}

const preference = /(?:^|,)\s*([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g;
const none: Preferences = { strict: false, minimal: false };

/** Of several values for the same preference, the first one counts. */
export function preferencesIn({ prefer }: Headers): Preferences {
  if (prefer === undefined) return none;
  const sent = String(prefer).toLowerCase();
  const values = new Map(
    [...sent.matchAll(preference)].reverse().map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  );
  return { strict: values.get('handling') === 'strict', minimal: values.get('return') === 'minimal' };
}
