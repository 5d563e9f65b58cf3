/** One line of a calendar: a name, optionally with parameters, and a value that is already escaped. */
export type Line = readonly [name: string, value: string];

/** A component of a calendar, with its properties and nested components. */
export interface Component {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly parts?: readonly Component[];
}

/** Writes a calendar in the format of RFC 5545, section 3.1: lines that end with CRLF and are folded at 75 bytes. */
export function written(component: Component): string {
  return [...linesOf(component)].map((line) => `${folded(line)}\r\n`).join('');
}

/**
 * Escapes a text as a value (section 3.3.11). Control characters other than line breaks and tabs cannot be written, and are
 * omitted.
 */
export function textValue(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}--[\n\t]]/gv, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

function* linesOf({ name, lines, parts = [] }: Component): Generator<string> {
  yield `BEGIN:${name}`;
  for (const [property, value] of lines) yield `${property}:${value}`;
  for (const part of parts) yield* linesOf(part);
  yield `END:${name}`;
}

const maxBytes = 75;

/** Never folds within a character, although the limit counts bytes. */
function folded(line: string): string {
  let text = '';
  let room = maxBytes;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      text += '\r\n ';
      room = maxBytes - 1;
    }
    text += character;
    room -= bytes;
  }
  return text;
}
