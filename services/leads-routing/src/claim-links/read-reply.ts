import { optOut } from '@crm/delivery';

/** What an incoming text asks for. */
export type Reply =
  | { readonly meaning: 'claim'; readonly lead_id: number | undefined }
  | { readonly meaning: 'stop' | 'start' | 'other' };

const claims = /^(?:claim|yes|y|1)(?:[\s\p{P}\p{S}]+(?:lead[\s\p{P}\p{S}]+)?(\d{1,10}))?$/iu;
const numberAlone = /^(\d{2,10})$/;

/**
 * `CLAIM 788`, `yes` and `1` claim a lead, with or without its number, and so does a number of at least two digits.
 * Punctuation does not matter. A word that stops texts always does.
 */
export function readReply(text: string): Reply {
  const request = optOut(text);
  if (request) return { meaning: request };
  const words = text.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '');
  const claim = claims.exec(words) ?? numberAlone.exec(words);
  if (!claim) return { meaning: 'other' };
  return { meaning: 'claim', lead_id: claim[1] === undefined ? undefined : Number(claim[1]) };
}
