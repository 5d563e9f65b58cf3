import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { longSubjects } from '../test/long-subjects.ts';
import { mimeText } from './mime-text.ts';

const mail = (text: string, html?: string, subject = 'Viewing at 10 — “Elm St.”') =>
  new MailComposer({
    from: { name: 'Harbour Homes', address: 'office@harbour.example' },
    to: { name: 'Ána Ødegård', address: 'ana@example.com' },
    subject,
    date: new Date(0),
    messageId: '<communication/12@harbour.example>',
    headers: { 'List-Unsubscribe': '<https://crm.example/unsubscribe/12>' },
    text,
    ...(html !== undefined && { html }),
  }).compile();

describe('the text of an e-mail', () => {
  it.each([
    '',
    'See you there.',
    'Lines\nand lines\r\nand a last one\n',
    '.\n..\n.x\n',
    'Spaces at the end \nand tabs\t\n ',
    'Ána — “Elm St.” at 10 = ten\n',
    '物件のご案内をお送りします。'.repeat(40),
    `A long line ${'of words '.repeat(200)}`,
    `${'x'.repeat(2_000)}\n${'é='.repeat(600)}`,
    'From here\n--_NmP-x\nCR\ralone',
  ])('is the one that nodemailer would have streamed: %j', async (text) => {
    for (const html of [undefined, `<p>${text}</p>`]) {
      const expected = await mail(text, html).build();
      const message = mail(text, html);
      const boundary = /boundary="([^"]+)"/;
      const written = mimeText(message).replaceAll(boundary.exec(mimeText(message))?.[1] ?? '\0', 'B');
      const whole = expected.toString();
      expect(written).toBe(whole.replaceAll(boundary.exec(whole)?.[1] ?? '\0', 'B'));
    }
  });

  it.each(longSubjects)('has no long line for a subject, and none without words: %j', (subject) => {
    const written = mimeText(mail('See you there.', undefined, subject));
    const [headers = ''] = written.split('\r\n\r\n', 1);
    expect(headers.split('\r\n').filter((line) => line.length > 78 || line.trim() === 'Subject:')).toEqual(
      [],
    );
  });

  it('never comes from a file or from the web', () => {
    const message = mail({ path: '/etc/hostname' } as unknown as string);
    expect(() => mimeText(message)).toThrow('Access rejected');
  });
});
