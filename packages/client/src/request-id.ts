import { randomUUID } from 'node:crypto';

/** The id of a request in responses, logs and events: the caller's own if it is safe to log, else a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}
