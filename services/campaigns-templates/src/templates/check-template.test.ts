import { mergeFields } from '@crm/merge-fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check-template.ts';
import { smsSegments } from './sms-segments.ts';

const textOf = (body: string) => ({ template_type: 'Text', subject: null, body });
const good = { template_type: 'Email', subject: 'Hello', body: 'Hi {{contact.first_name}}' };

describe('the warnings of a template', () => {
  it('are empty when there is nothing to check', () => {
    expect(checkTemplate(good)).toEqual([]);
    expect(checkTemplate({ ...good, template_type: 'Phone', subject: null })).toEqual([]);
  });

  it('name each unknown merge field, once in the subject and once in the body', () => {
    const template = { ...good, subject: '{{contact.name}}', body: 'Hi {{name}} {{ name }} {{#if x}}' };
    expect(checkTemplate(template)).toEqual([
      'The subject contains {{contact.name}}, which is not a merge field. It will be left blank.',
      'The body contains {{name}}, which is not a merge field. It will be left blank.',
      'The body contains {{#if x}}, which is not a merge field. It will be left blank.',
    ]);
  });

  it('say where a link to unsubscribe will be left blank', () => {
    const blank = (where: string) =>
      `The ${where} contains {{unsubscribe_url}}, which has a value only in the body of an e-mail. It will be left blank.`;
    const linked = { ...good, subject: 'Leave: {{unsubscribe_url}}', body: '{{ unsubscribe_url }}' };
    expect(checkTemplate(linked)).toEqual([blank('subject')]);
    expect(checkTemplate({ ...linked, template_type: 'Phone', subject: null })).toEqual([blank('body')]);
  });

  it('are limited, however many fields are unknown', () => {
    const body = Array.from({ length: 5000 }, (_, n) => `{{${n}}}`).join('');
    const warnings = checkTemplate({ ...good, body });
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe('The body contains 4990 more unknown merge fields.');
  });

  it.each([null, '', ' \n'])('mention an e-mail without a subject: %j', (subject) => {
    expect(checkTemplate({ ...good, subject })).toEqual(['The e-mail has no subject.']);
  });

  it.each([null, '', ' \n'])('mention an empty body: %j', (body) => {
    expect(checkTemplate({ ...good, template_type: 'Text', body })).toEqual(['The body is empty.']);
  });

  it('mention the number of messages for a long text, but not for a long e-mail', () => {
    const body = 'x'.repeat(161);
    expect(checkTemplate({ ...good, body })).toEqual([]);
    const lengths = (written: string) =>
      checkTemplate(textOf(written)).filter((warning) => warning.includes('messages'));
    expect(lengths(body)).toEqual(['The text will be sent as 2 messages.']);
    expect(lengths(`${body}{{user.email}}`)).toEqual(['The text will be sent as at least 2 messages.']);
    expect(lengths(`${'x'.repeat(155)}{{user.email}}`)).toEqual([]);
  });

  it.each([
    ['Hi, {{user.first_name}} here. Reply STOP to end.', []],
    ['{{ user.full_name }}: new houses (stop = no more)', []],
    ['Hi, {{user.last_name}} here.', ['end']],
    ['Reply STOP to end. {{user.email}}', ['who']],
    ['Nonstop news', ['end', 'who']],
  ] as const)('mention a text that does not name its sender or say how to opt out: %s', (body, missing) => {
    const warnings = {
      end: 'The text does not say how to stop the texts, as in: Reply STOP to end.',
      who: 'The text does not contain the name of its sender, such as {{user.full_name}}.',
    };
    expect(checkTemplate(textOf(body))).toEqual(missing.map((one) => warnings[one]));
    expect(checkTemplate({ ...good, body })).toEqual([]);
    expect(checkTemplate({ ...textOf(body), template_type: 'Phone' })).toEqual([]);
  });

  it('are sentences for any text, and empty for a template with every merge field', () => {
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
    // After 76 extension characters, one septet is left: too little for another.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['ç'.repeat(70), 1],
    ['ç'.repeat(71), 2],
    ['ç'.repeat(134), 2],
    ['ç'.repeat(135), 3],
    ['🏡'.repeat(35), 1],
    ['🏡'.repeat(36), 2],
    // An emoji is not split either.
    ['🏡'.repeat(66), 2],
    ['🏡'.repeat(67), 3],
    [`${'x'.repeat(69)}\u2019`, 1],
    [`${'x'.repeat(70)}\u2019`, 2],
  ])('is split as phones do it: %#', (text, segments) => {
    expect(smsSegments(text)).toBe(segments);
  });

  it('never needs fewer messages for more text, and never exceeds the capacity of its parts', () => {
    const written = fc.string({ unit: fc.constantFrom('x', '€', 'ç', '🏡', ' '), maxLength: 500 });
    fc.assert(
      fc.property(written, written, (one, other) => {
        expect(smsSegments(one + other)).toBeGreaterThanOrEqual(smsSegments(one));
        expect(one.length).toBeLessThanOrEqual(smsSegments(one) * 160);
      }),
    );
  });
});
