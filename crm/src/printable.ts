/** Control characters and those that change the direction of text could alter what the terminal shows. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const escaped = (character: string) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;

/** A value as one line of text that is safe to print on a terminal. */
export function printable(value: unknown): string {
  return String(value ?? '').replace(unprintable, escaped);
}

/** JSON that also escapes the control characters that JSON allows. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\u2028\u2029]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    escaped,
  );
}

/** Rows under a heading, each column as wide as its widest value. */
export function tableOf(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
