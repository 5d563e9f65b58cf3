import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, scriptElement, styleElement } from './html.ts';

const meanings: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#96': '`',
};
const shownBy = (markup: string) =>
  markup.replaceAll(/&(\w+|#\d+);/g, (_, name: string) => meanings[name] ?? '?');

describe('html', () => {
  it('shows any text unchanged, in an element and in an attribute with any quote', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...'&<>"\'`;#='),
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          ),
        }),
        (text) => {
          const { markup } = html`<p title="${text}" lang='${text}'>${text}</p>`;
          const parts = /^<p title="([^"'`<>]*)" lang='([^"'`<>]*)'>([^"'`<>]*)<\/p>$/s
            .exec(markup)
            ?.slice(1);
          expect(parts?.map(shownBy)).toEqual([text, text, text]);
        },
      ),
    );
    expect(html`${'<script>alert(1)</script>'}`.markup).toBe('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('nests markup, joins lists, and leaves out missing values', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.markup).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
  });

  it('does not accept an object that only looks like markup', () => {
    const forged = JSON.parse('{"markup":"<script>"}');
    expect(() => html`${forged}`.markup).toThrow();
  });
});

describe('a style sheet or a script in a page', () => {
  it('stays as it is', () => {
    expect(html`${styleElement('a > b { content: "x"; }')}`.markup).toBe(
      '<style>a > b { content: "x"; }</style>',
    );
    expect(html`${scriptElement('if (a && b) () => c("x");')}`.markup).toBe(
      '<script>if (a && b) () => c("x");</script>',
    );
  });

  it('cannot end its element', () => {
    expect(() => styleElement('</style><script>')).toThrow('must not contain');
    expect(() => scriptElement("'</script>'")).toThrow('must not contain');
  });
});
