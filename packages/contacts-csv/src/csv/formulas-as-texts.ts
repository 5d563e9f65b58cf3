const [quote, equals, lf, cr, blank] = [34, 61, 10, 13, 32];

/**
 * Replaces the sign of `="02134"`, as programs write a text so that a spreadsheet keeps its zeros, with a blank, which the reader
 * trims. All bytes keep their places. The first chunk begins where a row begins.
 */
export async function* formulasAsTexts(chunks: AsyncIterable<Buffer>, delimiter: string) {
  const separator = delimiter.charCodeAt(0);
  let isQuoted = false;
  let isAtStart = true;
  // A sign whose next byte is not known yet.
  let held = Buffer.of();
  for await (const given of chunks) {
    const chunk = Buffer.concat([held, given]);
    const end = chunk.at(-1) === equals ? chunk.length - 1 : chunk.length;
    for (let at = 0; at < end; at++) {
      if (isAtStart && chunk[at] === equals && chunk[at + 1] === quote) chunk[at] = blank;
      const byte = chunk[at];
      if (byte === quote) isQuoted = !isQuoted;
      const isBetween = byte === separator || byte === lf || byte === cr;
      isAtStart = !isQuoted && (isBetween || (isAtStart && byte === blank));
    }
    held = chunk.subarray(end);
    yield chunk.subarray(0, end);
  }
  yield held;
}
