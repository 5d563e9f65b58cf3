import { describe, expect, it } from 'vitest';
import { dialogue, mail, running } from '../test/running.ts';

describe('the mail catcher', () => {
  it.each([
    ['no password', () => '', '530'],
    ['another password', () => 'crm:wrong@', '535'],
    ['another user', (password: string) => `root:${password}@`, '535'],
  ])('accepts no message with %s', async (_, credentials, code) => {
    const { mail: catcher } = await running();
    const { host, password } = new URL(catcher.url);
    const replies = await dialogue(`smtp://${credentials(password)}${host}`, mail('a', '', 'Hello'));
    expect(replies.some((reply) => reply.startsWith(code))).toBe(true);
    expect(await catcher.mails()).toEqual([]);
  });

  it('accepts a message of its system from anyone to anyone, and parses it', async () => {
    const { mail: catcher } = await running();
    const lines = mail(
      'a',
      'To: someone-else@example.com',
      'Subject: =?utf-8?q?H=C3=A9?=',
      '',
      'First',
      '..',
      'Last',
    );
    const replies = await dialogue(catcher.url, lines);

    expect(replies.map((reply) => reply.slice(0, 3))).toEqual([
      '220',
      '250',
      '250',
      '250',
      '354',
      '250',
      '221',
    ]);
    expect(await catcher.mails()).toMatchObject([
      {
        message_id: '<a@example.com>',
        from: 'Anna <anna@example.com>',
        to: ['ben@example.com'],
        subject: 'Hé',
        text: 'First\n.\nLast\n',
        html: undefined,
        received_at: expect.any(Date),
        deliveries: 1,
      },
    ]);
  });

  it('counts a repeated Message-ID, but does not list it twice', async () => {
    const { mail: catcher } = await running();
    for (const id of ['a', 'b', 'a']) await dialogue(catcher.url, mail(id, '', 'Hello'));
    expect((await catcher.mails()).map(({ message_id, deliveries }) => [message_id, deliveries])).toEqual([
      ['<a@example.com>', 2],
      ['<b@example.com>', 1],
    ]);
    expect(catcher.received()).toEqual([
      { channel: 'email', key: 'a', arrivals: 2, accepted: 2 },
      { channel: 'email', key: 'b', arrivals: 1, accepted: 1 },
    ]);
  });

  it('behaves as a test requests, by key', async () => {
    const { mail: catcher } = await running();
    catcher.behave(({ channel, key, to }) =>
      channel === 'email' && key === 'a' && to === 'ben@example.com' ? { answer: 452 } : undefined,
    );
    expect((await dialogue(catcher.url, mail('a', '', 'Hello')))[5]).toMatch(/^452 /);
    expect((await dialogue(catcher.url, mail('b', '', 'Hello')))[5]).toMatch(/^250 /);
    catcher.behave(() => 'break before accepting');
    expect((await dialogue(catcher.url, mail('c', '', 'Hello')))[5]).toBe('closed');
    expect((await catcher.mails()).map(({ message_id }) => message_id)).toEqual(['<b@example.com>']);
  });

  it('closes even if a connection is still open', async () => {
    const { mail: catcher, close } = await running();
    await dialogue(catcher.url, ['EHLO test.example']);
    await close();
    await expect(dialogue(catcher.url, [])).rejects.toThrow();
  });
});
