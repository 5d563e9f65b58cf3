import { hash } from 'node:crypto';
import { invalidField } from '@crm/contract';

/** The strong entity tag of a response (RFC 9110 §8.8.3). It changes only when the text changes. */
export const entityTagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;

/** What a condition names: tags, or any record at all. */
export type EntityTags = 'any' | readonly string[];

/** Reads If-Match and If-None-Match: an asterisk, or a list of tags (RFC 9110 §13.1). Throws BadRequest. */
export function readEntityTags(header: string, value: string): EntityTags {
  if (value.trim() === '*') return 'any';
  const tags: string[] = [];
  const element = /[ \t]*((?:W\/)?"[!#-~\x80-\xff]*")?[ \t]*(,|$)/y;
  for (let end = ','; end === ','; ) {
    const found = element.exec(value);
    if (!found) throw notTags(header);
    if (found[1] !== undefined) tags.push(found[1]);
    end = found[2] ?? '';
  }
  if (tags.length === 0) throw notTags(header);
  return tags;
}

const notTags = (header: string) =>
  invalidField(header, 'must be * or ETags as they were received, with their quotes and separated by commas');

/**
 * Compares a tag of ours, which are all strong, with those of If-Match or If-None-Match. A proxy that compresses responses
 * makes them weak, or adds the name of the coding: Apache `-gzip` and `-br`, Caddy `-zstd` as well. Clients send them back
 * like that, and the hash in them tells as much as before.
 */
export const isMatched = (tags: EntityTags, tag: string): boolean =>
  tags === 'any' ||
  tags.map((one) => one.replace(/^W\//, '')).some((one) => one === tag || withoutCoding(one) === tag);

const withoutCoding = (tag: string): string => tag.replace(/-(gzip|br|zstd)"$/, '"');
