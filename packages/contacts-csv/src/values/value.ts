/** The first value of a cell, with a warning if it was converted, or the reason why it cannot be imported. */
export type Checked = Value | { readonly error: string };

interface Value {
  readonly value: string;
  readonly warning?: string;
  /** The other values of the cell, unchecked. */
  readonly more?: readonly string[];
}

/** A value that was converted. */
export const converted = (from: string, value: string, how = ''): Value => ({
  value,
  warning: `"${from}" was read as ${value}${how}`,
});

/** How to store a value that a check rejects. */
export const asItIs = 'To store it as it is, put an apostrophe before it.';

/** The non-blank parts of a text. */
export const partsOf = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
