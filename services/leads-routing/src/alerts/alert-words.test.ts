import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReply } from '../claim-links/read-reply.ts';
import { type AlertFacts, callWords, emailWords, textWords } from './alert-words.ts';

const facts: AlertFacts = {
  lead_id: 788,
  contact: 'Jane Doe',
  member: 'Ben',
  isAssigned: false,
  fallback_reason: null,
  link: 'https://crm.example/claim/788-1-e-x-y',
  source: 'Zillow',
  type: 'Buyer',
  listing_status: null,
  listing_price: '$450,000',
  mls_id: null,
  street_address: '12 Main St',
  city: 'Delta',
  state: 'BC',
  zipcode: 'V4C 1A1',
  text_body: null,
  seconds_old: 0,
};
const anything = fc.string({ unit: 'grapheme', maxLength: 300 });
const anyFacts = fc.record({
  ...Object.fromEntries(
    [
      'source',
      'type',
      'listing_status',
      'listing_price',
      'mls_id',
      'street_address',
      'city',
      'state',
      'zipcode',
      'text_body',
    ].map((name) => [name, fc.option(anything)]),
  ),
  isAssigned: fc.boolean(),
});

describe('the text of an alert', () => {
  it('names the contact, the property, its price and the source, and says how to claim the lead', () => {
    expect(textWords(facts)).toBe(
      'New lead 788: Jane Doe, 12 Main St, Delta, BC V4C 1A1, $450,000, from Zillow. Reply CLAIM 788 to claim it, or open https://crm.example/claim/788-1-e-x-y (text STOP to opt out)',
    );
    expect(callWords(facts)).toBe(
      'Hello Ben. You have been offered a new lead: Jane Doe, 12 Main St, Delta, BC V4C 1A1, $450,000, from Zillow. Press 1 to claim it.',
    );
    expect(emailWords(facts).subject).toBe('New lead: Jane Doe, 12 Main St, Delta, BC V4C 1A1');
  });

  it('shows the message as written, and a plain price in dollars', () => {
    const enquiry = {
      ...facts,
      text_body: 'Is it "free"?\r\n\r\nCall me <soon>.',
      listing_price: '450000.00',
    };
    const { text, html } = emailWords(enquiry);
    expect(text).toContain('Price: $450,000\n');
    expect(text).toContain('Message:\nIs it "free"?\n\nCall me <soon>.\n');
    expect(html).toContain('Call me &lt;soon&gt;.');
    expect(textWords(enquiry)).toContain(
      `, "Is it 'free'? Call me <soon>." Reply CLAIM`.replace('." ', '.". '),
    );
    expect(callWords(enquiry)).toContain(`"Is it 'free'? Call me <soon>."`);
  });

  it.each([
    ['450000', '$450,000'],
    ['$1,250,000', '$1,250,000'],
    ['450,00', '450,00'],
    ['from 450000', 'from 450000'],
    ['1'.repeat(30), '1'.repeat(30)],
  ])('shows the price %s as %s', (listing_price, shown) => {
    expect(emailWords({ ...facts, listing_price }).text).toContain(`Price: ${shown}\n`);
  });

  it.each([
    [0, 'just now'],
    [61, '1 minute ago'],
    [7_300, '2 hours ago'],
    [90_000, '1 day ago'],
    [-5, 'just now'],
  ])('says that a lead that is %d seconds old was submitted %s', (seconds_old, shown) => {
    expect(emailWords({ ...facts, seconds_old }).text).toContain(`Submitted: ${shown}\n`);
  });

  it('asks for a reply that claims this lead', () => {
    const [, asked = ''] = /Reply (.*?) to claim it/.exec(textWords(facts)) ?? [];
    expect(readReply(asked)).toEqual({ isClaim: true, lead_id: 788 });
  });

  it('asks for no reply when the lead is already assigned', () => {
    const assigned = { ...facts, isAssigned: true };
    const { subject, text, html } = emailWords(assigned);
    for (const words of [subject, text, html, textWords(assigned), callWords(assigned)]) {
      expect(words).toMatch(/assigned to you/i);
      expect(words).not.toMatch(/claim\/|Press|Reply/);
    }
  });

  it('keeps headers and markup intact, whatever a lead contains', () => {
    fc.assert(
      fc.property(anyFacts, anything, (some, contact) => {
        const { subject, html } = emailWords({ ...facts, ...some, contact });
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        const tags = [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, tag]) => tag);
        expect(new Set(tags)).toEqual(
          new Set(
            [...tags].filter((tag) =>
              /^(!doctype|html|head|meta|title|body|p|table|tr|th|td|a|blockquote)$/.test(tag ?? ''),
            ),
          ),
        );
      }),
    );
  });
});
