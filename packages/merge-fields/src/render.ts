import { isMergeField, type MergeField } from './merge-fields.ts';
import { piecesOf } from './pieces.ts';

export type MergeValues = Readonly<Partial<Record<MergeField, string | null>>>;

interface Rendered {
  readonly text: string;
  /** Names that are not merge fields; they are replaced with empty text. */
  readonly unknown: readonly string[];
  /** Merge fields without a value; they are replaced with empty text. */
  readonly empty: readonly MergeField[];
}

/**
 * Puts values into a text, in one pass: a value is never read as a template. With `html` the values are escaped, but the text
 * itself is not.
 */
export function render(
  template: string,
  values: MergeValues,
  { html }: { readonly html: boolean },
): Rendered {
  const unknown = new Set<string>();
  const empty = new Set<MergeField>();
  let text = '';
  for (const piece of piecesOf(template)) {
    if ('text' in piece) text += piece.text;
    else if (!isMergeField(piece.name)) unknown.add(piece.name);
    else {
      const value = values[piece.name]?.trim() ?? '';
      if (value === '') empty.add(piece.name);
      text += html ? escapeHtml(value) : value;
    }
  }
  return { text, unknown: [...unknown], empty: [...empty] };
}

/**
 * Renders one line: neither the template nor a value can end the subject header, or contain another character for which an e-mail
 * would be refused.
 */
export function renderSubject(template: string, values: MergeValues): Rendered {
  const { text, ...reported } = render(template, values, { html: false });
  return { text: text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), ...reported };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
