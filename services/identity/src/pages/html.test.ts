import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';
import { page } from './page.ts';

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
  it('shows any text as that text, in an element and in an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: markup } = html`<p title="${text}">${text}</p>`;
        const [, attribute = '', element = ''] = /^<p title="([^"]*)">([^<>"]*)<\/p>$/s.exec(markup) ?? [];
        expect([shownBy(attribute), shownBy(element)]).toEqual([text, text]);
      }),
    );
    const { text } = html`${'<script>alert(1)</script>'}`;
    expect(text).toBe('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('nests, joins lists, and leaves out what is not there', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${null}${undefined}${false}${0}`.text).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
  });

  it('does not take an object for markup because it looks like it', () => {
    const forged = JSON.parse('{"text":"<script>"}');
    expect(() => html`${forged}`.text).toThrow();
  });
});

describe('a page', () => {
  it.each([
    ['https://app.example', "form-action 'self' https://app.example"],
    ["https://a.example;script-src-elem'", "form-action 'self'"],
    ['https://a.example https://b.example', "form-action 'self'"],
    ['null', "form-action 'self'"],
    [null, "form-action 'self'"],
  ])('whose form may lead to %j says so, and lets nothing else into its policy', (leadsTo, directive) => {
    const { headers } = page({ title: 'Any', main: '', leadsTo });
    expect(String(headers['content-security-policy']).split('; ').at(-1)).toBe(directive);
  });
});
