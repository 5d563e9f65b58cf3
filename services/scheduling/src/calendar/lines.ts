/** One line of a calendar: a name, perhaps with parameters, and a value that is ready to be written. */
export type Line = readonly [name: string, value: string];

/** A part of a calendar, of properties and of parts within it. */
export interface Component {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly parts?: readonly Component[];
}

/** A calendar as RFC 5545, section 3.1, has it written: lines that end with CRLF and are folded at 75 bytes. */
export function written(component: Component): string {
  return [...linesOf(component)].map((line) => `${folded(line)}\r\n`).join('');
}

/** A text as a value (section 3.3.11). Other control characters than line breaks have no form, and are left out. */
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

const longest = 75;

/** Never within a character, although the limit counts bytes. */
function folded(line: string): string {
  let text = '';
  let room = longest;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      text += '\r\n ';
      room = longest - 1;
    }
    text += character;
    room -= bytes;
  }
  return text;
}
