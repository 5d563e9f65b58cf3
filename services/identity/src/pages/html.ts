/** Markup that is safe to send as it is. Nothing but `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

/**
 * Writes markup. What is put in is shown as text, whatever it holds; other markup may be nested, and nothing
 * at all is written for null, undefined and false. Values of attributes must stand in quotes.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.reduce((text, literal, place) => text + textOf(contents[place - 1]) + literal));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? '');
}
