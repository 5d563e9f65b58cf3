/** Markup that may be sent as it is. Made by `html` alone. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template of HTML in which every value is escaped, for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, place) => text + markupOf(parts[place])).join('') };
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const escaped = (text: string) => text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
