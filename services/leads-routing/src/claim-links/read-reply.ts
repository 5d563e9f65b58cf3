/** The meaning of a text: a claim or not, and the lead that it names, if any. */
export type Reply =
  | { readonly isClaim: true; readonly lead_id: number | undefined }
  | { readonly isClaim: false };

const claims = /^(?:claim|yes|y|1)(?:[\s\p{P}\p{S}]+(?:lead[\s\p{P}\p{S}]+)?(\d{1,10}))?$/iu;
const numberAlone = /^(\d{2,10})$/;

/**
 * `CLAIM 788`, `yes` and `1` claim a lead, with or without its number, and so does a number of at least two digits.
 * Punctuation does not matter.
 */
export function readReply(text: string): Reply {
  const words = text.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '');
  const claim = claims.exec(words) ?? numberAlone.exec(words);
  if (!claim) return { isClaim: false };
  return { isClaim: true, lead_id: claim[1] === undefined ? undefined : Number(claim[1]) };
}
