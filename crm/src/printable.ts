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

/**
 * Rows under a heading, each column as wide as its widest value. On a narrower terminal, the widest columns are cut; other output
 * is complete, because programs read it.
 */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  terminalWidth: number | undefined = process.stdout.columns,
): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const natural = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const widths = fitted(natural, terminalWidth);
  return lines
    .map((line) =>
      line
        .map((value, column) => cut(value, widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

const gap = '  ';
const leastWidth = 8;

/** Widths that fit together, with the widest columns cut to the same width. */
function fitted(widths: readonly number[], terminalWidth: number | undefined): readonly number[] {
  if (terminalWidth === undefined) return widths;
  const room = terminalWidth - gap.length * (widths.length - 1);
  const sum = (most: number) => widths.reduce((total, width) => total + Math.min(width, most), 0);
  let most = Math.max(...widths);
  while (sum(most) > room && most > leastWidth) most -= 1;
  return widths.map((width) => Math.min(width, most));
}

const cut = (value: string, width: number) =>
  value.length > width ? `${value.slice(0, width - 1)}…` : value;
