import { describe, expect, it } from 'vitest';
import { readAbuseReport } from './abuse-report.ts';
import { readBounce } from './bounce.ts';

const key = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A feedback report as mailbox providers write it, about the e-mail that it contains. */
const reportOf = ({
  type = 'abuse',
  about = `Message-ID: <${key}@harbour.example>`,
  version = 'Version: 1',
} = {}) =>
  [
    'From: <feedback@provider.example>',
    'Message-ID: <20261122.1@provider.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report for an email message received from IP 192.0.2.1.',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: Provider-Feedback/2.0',
    version,
    'Original-Mail-From: <bounces@harbour.example>',
    'Arrival-Date: Thu, 8 Mar 2026 14:00:00 EDT',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: Anna <anna@harbour.example>',
    about,
    'Subject: Open house',
    '',
    'Dear Carla',
    '--b--',
  ].join('\r\n');

describe('a report that marks an e-mail as spam', () => {
  it.each(['abuse', 'Abuse', 'fraud', 'opt-out'])(
    'of type %s is about the e-mail that it returns',
    (type) => {
      expect(readAbuseReport(reportOf({ type }))).toEqual({ key });
    },
  );

  it('is found by the header of its key where a relay has given the e-mail another id', () => {
    const about = `Message-ID: <0102018c@email.amazonses.com>\r\nX-Message-Key:\r\n ${key}`;
    expect(readAbuseReport(reportOf({ about }))).toEqual({ key });
  });

  it('is found if it is cut behind the headers of the e-mail', () => {
    const whole = reportOf();
    expect(readAbuseReport(whole.slice(0, whole.indexOf('Subject:')))).toEqual({ key });
  });

  it('is found after human-readable text that mentions its fields', () => {
    const told = 'Feedback-Type: see below\r\nThis is an email abuse report';
    const mail = reportOf().replace('This is an email abuse report', told);
    expect(mail).toContain(told);
    expect(readAbuseReport(mail)).toEqual({ key });
  });

  it.each([
    ['takes a report back', { type: 'not-spam' }],
    ['is about authentication', { type: 'auth-failure' }],
    ['is about a virus', { type: 'virus' }],
    ['names no e-mail of this system', { about: 'Message-ID: <somebody@else.example>' }],
    ['has no version', { version: 'X: 1' }],
  ])('is ignored if it %s', (_why, parts) => {
    expect(readAbuseReport(reportOf(parts))).toBeUndefined();
  });

  it('is not a bounce, and a bounce is not a spam report', () => {
    expect(readBounce(reportOf())).toBeUndefined();
    const bounce = `Action: failed\r\nStatus: 5.1.1\r\n\r\nMessage-ID: <${key}@harbour.example>`;
    expect(readAbuseReport(bounce)).toBeUndefined();
  });

  it('is not a bounce if only the returned e-mail contains such words', () => {
    const about = `Message-ID: <${key}@harbour.example>\r\n\r\nFeedback-Type: abuse\r\nVersion: 1`;
    expect(readAbuseReport(reportOf({ type: 'not-spam', about }))).toBeUndefined();
  });
});
