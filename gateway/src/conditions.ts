import type { IncomingMessage } from 'node:http';
import { type EntityTags, isMatched, readEntityTags } from '@crm/client';
import { invalidField, preconditionFailed, type Verb } from '@crm/contract';
import type { RecordPlace } from './record-place.ts';

/** The preconditions of a request (RFC 9110 §13). */
export interface Conditions {
  /** For a change; the service compares it, because it locks the record. */
  readonly ifMatch: string | undefined;
  /** Compares it with the record that was read. Throws PreconditionFailed. */
  readonly isUnchanged: (tag: string) => boolean;
}

const none: Conditions = { ifMatch: undefined, isUnchanged: () => false };

/**
 * The preconditions of a request. Throws BadRequest for malformed ones, and where there is no ETag: a change that ignored them
 * could overwrite what the client wants to keep.
 */
export function conditionsOf(
  { headers }: IncomingMessage,
  method: Verb,
  place: RecordPlace | undefined,
): Conditions {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return none;
  if (ifMatch !== undefined && place !== 'here') {
    throw invalidField('If-Match', 'is supported by GET, PATCH and DELETE of a record that can be read');
  }
  const demanded = ifMatch === undefined ? undefined : readEntityTags('If-Match', ifMatch);
  if (method === 'GET') return { ifMatch: undefined, isUnchanged: comparing(demanded, ifNoneMatch, place) };
  if (ifNoneMatch !== undefined) throw invalidField('If-None-Match', 'is supported by GET only');
  return { ifMatch, isUnchanged: none.isUnchanged };
}

const notThisTag = 'None of the ETags in If-Match is that of the record. Read it again without this header.';

/** A list has no ETag, so If-None-Match never applies to it. */
function comparing(
  demanded: EntityTags | undefined,
  ifNoneMatch: string | undefined,
  place: RecordPlace | undefined,
): Conditions['isUnchanged'] {
  if (place === undefined) return none.isUnchanged;
  const known = ifNoneMatch === undefined ? [] : readEntityTags('If-None-Match', ifNoneMatch);
  return (tag) => {
    if (demanded && !isMatched(demanded, tag)) throw preconditionFailed({ message: notThisTag });
    return isMatched(known, tag);
  };
}
