import { randomUUID } from 'node:crypto';

/** The id a request goes by in answers, logs and events: the caller's own where it is fit to be logged, else a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}
