/** One tag in the text of a contact's tags. */
export interface Piece {
  readonly content: string;
  /** What stands between the tag before and this one, such as a comma and a blank. */
  readonly lead: string;
}

/** Anything without a comma, from a character that is not blank to another one. */
const tag = /[^\s,](?:[^,]*[^\s,])?/g;

/** Takes the text of a contact's tags apart. Put together again it is what it was, character for character. */
function takeApart(text: string) {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: content, index } of text.matchAll(tag)) {
    pieces.push({ content, lead: text.slice(end, index) });
    end = index + content.length;
  }
  return { pieces, rest: text.slice(end) };
}

/** The tags in a text, in its order. */
export const tagsIn = (text: string | null): readonly Piece[] =>
  text === null ? [] : takeApart(text).pieces;

/**
 * What a contact keeps of its tags' text itself: what stands before the first tag, which is nothing where there is
 * no tag, and what stands after the last one.
 */
export function textAroundTags({ tags }: { readonly tags?: string | null | undefined }) {
  if (tags === undefined) return {};
  if (tags === null) return { tags_head: null, tags_tail: null };
  const { pieces, rest } = takeApart(tags);
  return { tags_head: pieces[0]?.lead ?? null, tags_tail: rest };
}
