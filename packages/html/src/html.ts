/** Markup that is safe to send as it is. Only this package makes it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

/**
 * Writes markup. Values are escaped, so they are shown as text whatever they contain; markup can be nested, and null,
 * undefined and false write nothing. Values of attributes must be in quotes.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(
    strings.reduce((markup, literal, index) => markup + markupOf(contents[index - 1]) + literal),
  );
}

/** One of our style sheets inside a page. Throws if it could end the element. */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new Error('A style sheet in a page must not contain "<".');
  return new Html(`<style>${css}</style>`);
}

/** One of our scripts inside a page. Throws if it could end the element. */
export function scriptElement(script: string): Html {
  if (script.includes('<')) throw new Error('A script in a page must not contain "<".');
  return new Html(`<script>${script}</script>`);
}

// Including the backtick, which old browsers accept as a quote around an attribute.
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'object') return content.map(markupOf).join('');
  return String(content).replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? '');
}
