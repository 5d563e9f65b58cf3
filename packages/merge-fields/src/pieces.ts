/** A part of a template: text, or the name between `{{` and `}}`. */
type Piece = { readonly text: string } | { readonly name: string };

/** Longer than any merge field; only the beginning of a longer name is reported. */
const maxNameLength = 64;

/**
 * Splits a text in one pass from left to right. There are no blocks, nesting or escapes: `{{` ends at the next `}}`, and is plain
 * text without one. So the remaining text never contains both in this order.
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
        .slice(0, maxNameLength),
    };
    from = close + 2;
  }
  if (from < text.length) yield { text: text.slice(from) };
}
