import { mergeFields } from '@crm/merge-fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check-template.ts';
import { smsSegments } from './sms-segments.ts';

const good = { template_type: 'Email', subject: 'Hello', body: 'Hi {{contact.first_name}}' };

describe('the warnings of a template', () => {
  it('are none when there is nothing to look at', () => {
    expect(checkTemplate(good)).toEqual([]);
    expect(checkTemplate({ ...good, template_type: 'Phone', subject: null })).toEqual([]);
  });

  it('name each field that is no merge field, once for subject and body', () => {
    const template = { ...good, subject: '{{contact.name}}', body: 'Hi {{name}} {{ name }} {{#if x}}' };
    expect(checkTemplate(template)).toEqual([
      'The subject asks for {{contact.name}}, which is no merge field; nothing will stand there.',
      'The body asks for {{name}}, which is no merge field; nothing will stand there.',
      'The body asks for {{#if x}}, which is no merge field; nothing will stand there.',
    ]);
  });

  it('stay few, however many are unknown', () => {
    const body = Array.from({ length: 5000 }, (_, n) => `{{${n}}}`).join('');
    const warnings = checkTemplate({ ...good, body });
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe('The body asks for 4990 more that are no merge fields.');
  });

  it.each([null, '', ' \n'])('tell of an e-mail without a subject: %j', (subject) => {
    expect(checkTemplate({ ...good, subject })).toEqual(['The e-mail has no subject.']);
  });

  it.each([null, '', ' \n'])('tell of an empty body: %j', (body) => {
    expect(checkTemplate({ ...good, template_type: 'Text', body })).toEqual(['The body is empty.']);
  });

  it('tell how many messages a long text is, and are silent about long e-mails', () => {
    const body = 'x'.repeat(161);
    expect(checkTemplate({ ...good, body })).toEqual([]);
    expect(checkTemplate({ template_type: 'Text', subject: null, body })).toEqual([
      'The text is sent as 2 messages.',
    ]);
    expect(checkTemplate({ template_type: 'Text', subject: null, body: `${body}{{user.email}}` })).toEqual([
      'The text is sent as at least 2 messages.',
    ]);
    const short = `${'x'.repeat(155)}{{user.email}}`;
    expect(checkTemplate({ template_type: 'Text', subject: null, body: short })).toEqual([]);
  });

  it('come of any text, and never of a template that asks for merge fields alone', () => {
    const text = fc.option(fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, text, fc.constantFrom('Email', 'Text'), (subject, body, template_type) => {
        for (const warning of checkTemplate({ template_type, subject, body })) expect(warning).toMatch(/\.$/);
      }),
    );
    const body = mergeFields.map((name) => `{{${name}}}`).join(' ');
    expect(checkTemplate({ ...good, body })).toEqual([]);
  });
});

describe('a text message', () => {
  it.each([
    ['', 1],
    ['x'.repeat(160), 1],
    ['x'.repeat(161), 2],
    ['x'.repeat(306), 2],
    ['x'.repeat(307), 3],
    ['@£¥ÇΩàñ\n'.repeat(20), 1],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // An extension character does not fit into the one place that 76 of them leave.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['ç'.repeat(70), 1],
    ['ç'.repeat(71), 2],
    ['ç'.repeat(134), 2],
    ['ç'.repeat(135), 3],
    ['🏡'.repeat(35), 1],
    ['🏡'.repeat(36), 2],
    // Nor half of a picture.
    ['🏡'.repeat(66), 2],
    ['🏡'.repeat(67), 3],
    [`${'x'.repeat(69)}’`, 1],
    [`${'x'.repeat(70)}’`, 2],
  ])('is divided as phones do: %#', (text, segments) => {
    expect(smsSegments(text)).toBe(segments);
  });

  it('never gets shorter by more text, and never holds more than its parts', () => {
    const written = fc.string({ unit: fc.constantFrom('x', '€', 'ç', '🏡', ' '), maxLength: 500 });
    fc.assert(
      fc.property(written, written, (one, other) => {
        expect(smsSegments(one + other)).toBeGreaterThanOrEqual(smsSegments(one));
        expect(one.length).toBeLessThanOrEqual(smsSegments(one) * 160);
      }),
    );
  });
});
