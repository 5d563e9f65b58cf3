import { describe, expect, it } from 'vitest';
import { bounceSignature, isBounceSigned, readBounce } from './bounce.ts';

const secret = 'a-secret-of-a-mail-server';

const key = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A delivery report as mail servers write it, with the headers of the returned e-mail. */
const bounceOf = (
  about: string,
  {
    action = 'failed',
    status = '5.1.1',
    said = '550 5.1.1 <carla@example.com>:\r\n  Recipient address rejected',
    more = '',
  } = {},
) =>
  [
    'From: MAILER-DAEMON@mx.example.com',
    'Message-ID: <20261122.1@mx.example.com>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    more,
    '',
    'Final-Recipient: rfc822; carla@example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    about,
    '--b--',
  ].join('\r\n');

describe('a delivery report', () => {
  it('is about the e-mail whose headers it returns, and says why it bounced', () => {
    expect(readBounce(bounceOf(`Message-ID: <${key}@harbour.example>`))).toEqual({
      key,
      report: {
        reference: `dsn-${key}`,
        state: 'Undelivered',
        reason: 'The e-mail came back: 550 5.1.1 <carla@example.com>: Recipient address rejected',
        block: 'unreachable',
      },
    });
  });

  it('is also found by its envelope id', () => {
    expect(readBounce(bounceOf('', { more: `Original-Envelope-Id: ${key}` }))?.key).toBe(key);
  });

  it.each([
    '0102018c-amazon-000000@email.amazonses.com',
    '11111111-d9cb-469f-a165-70867728950e@relay.example',
  ])('is found by the header of its key where a relay has given it the id %s', (id) => {
    const about = `Message-ID: <${id}>\r\nX-Message-Key: ${key}`;
    expect(readBounce(bounceOf(about))?.key).toBe(key);
    expect(readBounce(bounceOf(`Message-ID: <${id}>`))?.key).not.toBe(key);
  });

  it('is found although the e-mail that it returns quotes another', () => {
    const about = `Message-ID: <${key}@harbour.example>\r\n\r\nMessage-ID: <somebody@else.example>`;
    expect(readBounce(bounceOf(about, { action: 'failed (bounced)' }))).toMatchObject({
      key,
      report: { state: 'Undelivered' },
    });
  });

  it('about a temporary failure does not end the address', () => {
    const { report } = readBounce(bounceOf(`Message-ID: <${key}@a.example>`, { status: '4.4.7' })) ?? {};
    expect(report).toMatchObject({ state: 'Undelivered', reason: expect.stringContaining('4.4.7') });
    expect(report).not.toHaveProperty('block');
  });

  it.each([
    // Exim.
    ['5.0.0', '550-5.1.1 The email account that you tried to reach does not exist.\r\n 550 5.1.1 Go on'],
    // Amazon SES, quoting the response of a Cisco mail server.
    [
      '5.0.0 (permanent failure)',
      "5.1.0 - Unknown address error 550-'5.1.1 User unknown' (delivery attempts: 0)",
    ],
    ['5.0.0', '550 the next server said 5.1.1'],
    // Microsoft.
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
    ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable'],
    ['5.0.0', '550 5.4.1 [carla@example.com]: Recipient address rejected: Access denied'],
  ])('with the status %s ends the address by what the server said: %s', (status, said) => {
    const { report } = readBounce(bounceOf(`Message-ID: <${key}@a.example>`, { status, said })) ?? {};
    expect(report).toMatchObject({ state: 'Undelivered', block: 'unreachable' });
  });

  it.each([
    ['5.0.0', "5.1.0 - Unknown address error 550-'5.7.1 Access denied' (delivery attempts: 0)"],
    ['5.0.0', '550 5.7.1 Recipient address rejected: Access denied'],
    ['5.0.0', '550 blocked, see 5.1.1.7'],
    ['5.0.0', '550 go away'],
    ['5.4.1', '550 5.4.1 no answer from the host'],
    ['5.5.0', '550 5.5.0 protocol error'],
    ['5.7.1', '550 5.7.1 the next server said 550 5.1.1'],
    ['4.4.1', '550 5.4.1 Recipient address rejected: Access denied'],
  ])('with the status %s does not end the address by what the server said: %s', (status, said) => {
    const { report } = readBounce(bounceOf(`Message-ID: <${key}@a.example>`, { status, said })) ?? {};
    expect(report).toMatchObject({ state: 'Undelivered' });
    expect(report).not.toHaveProperty('block');
  });

  it.each([
    ['above it, as mailboxes add them', (report: string) => `Status: RO\r\nX-Status: \r\n${report}`],
    [
      'in its human-readable part',
      (report: string) => report.replace('--b\r\n', '--b\r\n\r\nStatus: lost\r\nAction: none\r\n\r\n--b\r\n'),
    ],
  ])('ignores fields %s', (_, changed) => {
    const report = bounceOf(`Message-ID: <${key}@a.example>`);
    expect(readBounce(changed(report))).toEqual(readBounce(report));
    expect(changed(report)).not.toBe(report);
  });

  const recipients = (...those: [action: string, status: string][]) => {
    const paragraphs = those.map(([action, status], index) =>
      [`Final-Recipient: rfc822; ${index}@a.example`, `Action: ${action}`, `Status: ${status}`].join('\r\n'),
    );
    return readBounce([`Original-Envelope-Id: ${key}`, ...paragraphs].join('\r\n\r\n'))?.report;
  };

  it('about several recipients says that one of them was not reached', () => {
    const report = recipients(['delivered', '2.0.0'], ['delayed', '4.4.1'], ['failed', '5.1.1']);
    expect(report).toMatchObject({ state: 'Undelivered', reason: 'The e-mail came back: 5.1.1' });
    expect(recipients(['delayed', '4.4.1'], ['delivered', '2.0.0'])).toMatchObject({ state: 'Delivered' });
  });

  it('about several recipients ends the address only if none of them exists', () => {
    expect(recipients(['delivered', '2.0.0'], ['failed', '5.1.1'])).not.toHaveProperty('block');
    expect(recipients(['failed', '5.1.1'], ['failed', '5.2.2'])).not.toHaveProperty('block');
    expect(recipients(['failed', '5.1.1'], ['failed', '5.1.1'])).toHaveProperty('block', 'unreachable');
  });

  it.each([
    ['delayed', undefined],
    ['relayed', 'Sent'],
    ['delivered', 'Delivered'],
  ])('that says "%s" is %s', (action, state) => {
    const read = readBounce(bounceOf(`Message-ID: <${key}@a.example>`, { action, status: '2.0.0' }));
    expect(read?.report.state).toBe(state);
  });

  it.each(['', 'Hello', bounceOf('Message-ID: <somebody@else.example>'), `${'Status: '.repeat(9_000)}`])(
    'is ignored without a status or the id of an e-mail of ours',
    (mail) => expect(readBounce(mail)).toBeUndefined(),
  );

  it.each([
    [`Bearer ${secret}`, true],
    [`bearer ${secret}`, true],
    [`Signature ${bounceSignature('body', secret)}`, true],
    [`Signature ${bounceSignature('other', secret)}`, false],
    ['Bearer another', false],
    [secret, false],
    [undefined, false],
  ])('with the header %s is accepted: %s', (authorization, is) => {
    expect(isBounceSigned({ body: 'body', authorization }, secret)).toBe(is);
  });

  it.each(['latin1', 'utf8'] as const)('is accepted with a signature of its bytes in %s', (encoding) => {
    const signed = bounceSignature(Buffer.from('Empf\u00e4nger', encoding), secret);
    const accepted = (body: string) => isBounceSigned({ body, authorization: `Signature ${signed}` }, secret);
    expect(accepted('Empf\u00e4nger')).toBe(true);
    // Its low byte equals that of the letter that was signed.
    expect(accepted('Empf\u01e4nger')).toBe(false);
  });
});
