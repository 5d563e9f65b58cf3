import { bodyTooLarge, malformedBody } from '@crm/contract';

/** Always cut at the same positions, so that a repeated part is recognized. */
const partBytes = 262_144;

/**
 * The text of a file in parts, only one of which is in memory. Throws BadRequest for invalid UTF-8, and PayloadTooLarge for a
 * file that is too large.
 */
export async function* textParts(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  // Fatal, because an invalid byte would otherwise be stored silently as another character.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let bytes = 0;
  for await (const part of inParts(chunks)) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw bodyTooLarge({
        message: `The file has more than ${maxBytes / 1024 / 1024} MB. Split it into several files.`,
      });
    if (part.includes(0)) throw malformedBody({ message: `The file is UTF-16 or not text. ${asUtf8}` });
    yield decoded(() => decoder.decode(part, { stream: true }));
  }
  const rest = decoded(() => decoder.decode());
  if (rest !== '') yield rest;
}

const asUtf8 = 'Save it as "CSV UTF-8".';

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw malformedBody({ message: `The file is not UTF-8. ${asUtf8}` });
  }
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    let rest: Buffer = Buffer.concat(gathered);
    for (; rest.length >= partBytes; rest = rest.subarray(partBytes)) yield rest.subarray(0, partBytes);
    [gathered, length] = [[rest], rest.length];
  }
  if (length > 0) yield Buffer.concat(gathered);
}
