import { describe, expect, it } from 'vitest';
import { emailBody, unsubscribeUrlOf } from './email-body.ts';

const url = unsubscribeUrlOf({ publicUrl: 'https://crm.example.com' }, 'a-key');
const link = `<p>Unsubscribe: <a href="${url}">${url}</a></p>`;
const postalAddress = 'Smith & Sons <Boston>';
const where = '<p>Smith &amp; Sons &lt;Boston&gt;</p>';
const bodyOf = (written: string, address?: string) => emailBody(written, url, address);

describe('the body of an e-mail', () => {
  it.each([
    ['words', 'Hello', `Hello${link}`],
    ['nothing', '', link],
    ['a document', '<html><body>Hello</body></html>\n', `<html><body>Hello${link}</body></html>\n`],
    ['a document in capitals', 'Hello</BODY ></HTML>', `Hello${link}</BODY ></HTML>`],
    ['a mention of one', '</body> is a tag', `</body> is a tag${link}`],
  ])('ends with the link after %s', (_what, written, html) => {
    expect(bodyOf(written).html).toBe(html);
    expect(bodyOf(written).text).toContain(`Unsubscribe: ${url}\n`);
  });

  it.each(['<p>Hello</p><!-- to be written', 'Hello<style>p {', 'Hello<script>', 'Hello <b'])(
    'starts with it if it would not be visible at the end of %j',
    (written) => {
      const { html, text } = bodyOf(written, postalAddress);
      expect(html === written + link + where || html === link + where + written).toBe(true);
      expect(text).toContain(`Unsubscribe: ${url}\n`);
      expect(text).toContain(postalAddress);
    },
  );

  it('has the postal address below it, escaped', () => {
    expect(bodyOf('<p>Hello</p>', postalAddress)).toEqual({
      html: `<p>Hello</p>${link}${where}`,
      text: `Hello\n\nUnsubscribe: ${url}\n\n${postalAddress}\n`,
    });
  });

  it.each([`<a href="${url}">Leave</a>`, `<a href='${url}'>Leave</a>`, `To leave: ${url}`])(
    'has no second link if its author shows one: %s',
    (written) => {
      expect(bodyOf(written).html).toBe(written);
      expect(bodyOf(written, postalAddress).html).toBe(written + where);
      expect(bodyOf(written).text).toContain(url);
    },
  );

  it.each([`<!-- ${url} -->Hello`, `<img src="${url}">`, `<style>${url}</style>`])(
    'has a link if its author only hides one: %s',
    (written) => {
      expect(bodyOf(written).html).toBe(written + link);
    },
  );

  it.each(['</body>', '</body >', '</html', '</body> ', '<p>', ' '])(
    'of a megabyte of %j is built like any other',
    (part) => {
      expect(bodyOf(part.repeat(1e6 / part.length)).text).toContain(url);
    },
  );
});
