import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfHtml } from './text-of-html.ts';

describe('an e-mail without its markup', () => {
  it.each([
    ['<p>Hello Carla,</p><p>see you <b>soon</b>.</p>', 'Hello Carla,\n\nsee you soon.\n'],
    ['a<br>b<br/>c', 'a\nb\nc\n'],
    ['Tom &amp; Jerry &lt;3 &#39;x&#x27; &nope;', "Tom & Jerry <3 'x' &nope;\n"],
    [
      'See <a href="https://crm.example.com/?a=1&amp;b=2">this house</a>!',
      'See this house (https://crm.example.com/?a=1&b=2)!\n',
    ],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example\n'],
    ['<a href="javascript:alert(1)">x</a>', 'x\n'],
    ['<style>p { color: red }</style><script>alert("<p>")</script>hi<!-- not <b>this</b> -->', 'hi\n'],
    ['5 < 6 and 7 > 6', '5 < 6 and 7 > 6\n'],
    ['<ul><li>one</li><li>two</li></ul>', 'one\n\ntwo\n'],
    ['<p>not closed', 'not closed\n'],
    ['', '\n'],
  ])('%s', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it('keeps all words of a text', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\w{1,8}$/), { minLength: 1 }), (words) => {
        expect(textOfHtml(words.map((word) => `<p>${word}</p>`).join('')).match(/\w+/g)).toEqual(words);
      }),
    );
  });

  it.each([
    '<'.repeat(300_000),
    '<a href="'.repeat(50_000),
    '<!--'.repeat(100_000),
    '<script>'.repeat(50_000),
    '&#'.repeat(200_000),
  ])('is found quickly for any markup, however broken', (html) => {
    expect(textOfHtml(html)).toMatch(/\n$/);
  });
});
