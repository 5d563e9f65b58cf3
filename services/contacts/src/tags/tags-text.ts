/** One tag in the text of a contact's tags. */
export interface Piece {
  readonly content: string;
  /** The separator before the tag, such as a comma and a space. */
  readonly lead: string;
}

/** A run without commas that starts and ends with a non-space character. */
const tag = /[^\s,](?:[^,]*[^\s,])?/g;

/** Splits the text of a contact's tags, so that joining the parts gives the same text again. */
function split(text: string) {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: content, index } of text.matchAll(tag)) {
    pieces.push({ content, lead: text.slice(end, index) });
    end = index + content.length;
  }
  return { pieces, rest: text.slice(end) };
}

/** The tags in a text, in order. */
export const tagsIn = (text: string | null): readonly Piece[] => (text === null ? [] : split(text).pieces);

/**
 * The part of the text that is stored with the contact: what precedes the first tag, or null if there is none, and what
 * follows the last one.
 */
export function textAroundTags({ tags }: { readonly tags?: string | null | undefined }) {
  if (tags === undefined) return {};
  if (tags === null) return { tags_head: null, tags_tail: null };
  const { pieces, rest } = split(tags);
  return { tags_head: pieces[0]?.lead ?? null, tags_tail: rest };
}

const contentsOf = (text: string) => tagsIn(text).map(({ content }) => content);

/** The text with the tags that it lacks, or the same text. */
export function withTags(text: string, tags: string): string {
  const known = new Set(contentsOf(text));
  const missing = [...new Set(contentsOf(tags))].filter((tag) => !known.has(tag));
  return missing.length === 0 ? text : [...(known.size === 0 ? [] : [text.trimEnd()]), ...missing].join(', ');
}

export function withoutTags(text: string, tags: string): string {
  const unwanted = new Set(contentsOf(tags));
  const own = contentsOf(text);
  const left = own.filter((tag) => !unwanted.has(tag));
  return left.length === own.length ? text : left.join(', ');
}
