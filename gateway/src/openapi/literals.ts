/** How a programming language writes values. */
interface Notation {
  readonly constants: Readonly<Record<'null' | 'true' | 'false', string>>;
  readonly key: (name: string) => string;
  readonly text: (text: string) => string;
  /** Inside the braces of an object on a single line. */
  readonly space: '' | ' ';
  readonly indent: string;
  /** After the last of several lines. */
  readonly lastComma: '' | ',';
}

const singleQuoted = (text: string) =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;

export const json: Notation = {
  constants: { null: 'null', true: 'true', false: 'false' },
  key: JSON.stringify,
  text: JSON.stringify,
  space: ' ',
  indent: '  ',
  lastComma: '',
};

export const typescript: Notation = {
  ...json,
  key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  lastComma: ',',
};

/** Its strings have the same escapes as JSON. */
export const python: Notation = {
  ...json,
  constants: { null: 'None', true: 'True', false: 'False' },
  space: '',
  indent: '    ',
  lastComma: ',',
};

const lineLength = 60;

/** A value as a programmer would write it: on one line if it is short. `margin` precedes each further line. */
export function literal(value: unknown, notation: Notation, margin = ''): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null)
    return notation.constants[String(value) as keyof Notation['constants']] ?? String(value);
  const inner = margin + notation.indent;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, notation, inner))
    : Object.entries(value).map(([name, one]) => `${notation.key(name)}: ${literal(one, notation, inner)}`);
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', notation.space];
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (!line.includes('\n') && margin.length + line.length <= lineLength) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}${notation.lastComma}\n${margin}${close}`;
}
