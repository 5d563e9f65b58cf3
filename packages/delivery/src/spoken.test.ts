import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoken } from './spoken.ts';

const plain = fc.string({ unit: 'binary' });

/** The text content of XML. Throws if there is any markup. */
function textOf(xml: string): string {
  const decoded = xml.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  if (/[<>"']|&(?!#\d+;)/.test(xml)) throw new Error(`There is markup in ${xml}.`);
  return decoded;
}

describe('the spoken text of a call', () => {
  const asked =
    /^<\?xml[^>]+><Response><Gather numDigits="1" method="POST" action="([^"]*)"><Say>([^<]*)<\/Say><\/Gather><Say>([^<]*)<\/Say><\/Response>$/;

  it('contains the text and the URL, whatever they contain, and no other instruction', () => {
    fc.assert(
      fc.property(plain, fc.webUrl({ withQueryParameters: true }), (text, url) => {
        const [, action = '', said = '', again] = asked.exec(spoken(text, url)) ?? [];
        expect(textOf(action)).toBe(url);
        expect(again).toBe(said);
        expect([...said].filter((character) => character < ' ' && !'\t\n\r'.includes(character))).toEqual([]);
        const sayable = [...text].filter((character) => !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(character));
        expect([...textOf(said)].filter((character) => !/\p{Cc}/u.test(character))).toEqual(sayable);
      }),
      { examples: [[`</Say><Dial>1</Dial>"'&amp;\0\u001b]]>`, 'https://crm.example/?a="1"&b=<2>']] },
    );
  });
});
