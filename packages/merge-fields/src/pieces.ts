/** A stretch of a template: text that stays, or what stood between two braces and the next two. */
export type Piece = { readonly text: string } | { readonly name: string };

/** No allow-listed name is this long; of a longer one the beginning tells enough. */
const longestName = 64;

/**
 * Takes a text apart, once and from left to right. There are no blocks, no nesting and no escapes: `{{` ends at
 * the next `}}`, and without one it is text. What stays never holds both in this order.
 */
export function* piecesOf(text: string): Generator<Piece> {
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    const close = open < 0 ? -1 : text.indexOf('}}', open + 2);
    if (close < 0) break;
    if (open > from) yield { text: text.slice(from, open) };
    yield {
      name: text
        .slice(open + 2, close)
        .trim()
        .slice(0, longestName),
    };
    from = close + 2;
  }
  if (from < text.length) yield { text: text.slice(from) };
}
