import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReply } from '../claim-links/read-reply.ts';
import { type AlertFacts, callWords, emailWords, textWords } from './alert-words.ts';

const facts: AlertFacts = {
  lead_id: 788,
  contact: 'Jane Doe',
  member: 'Ben',
  isAssigned: false,
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
    ].map((name) => [name, fc.option(anything)]),
  ),
  isAssigned: fc.boolean(),
});

describe('the words of an alert', () => {
  it('name who, what, for how much, from where, and how to claim it', () => {
    expect(textWords(facts)).toBe(
      'Lead 788: Jane Doe, 12 Main St, Delta, BC V4C 1A1, $450,000, from Zillow. Reply CLAIM 788 to get it, or open https://crm.example/claim/788-1-e-x-y (STOP ends texts)',
    );
    expect(callWords(facts)).toBe(
      'Hello Ben. A lead is offered to you: Jane Doe, 12 Main St, Delta, BC V4C 1A1, $450,000, from Zillow. Press 1 to claim it.',
    );
    expect(emailWords(facts).subject).toBe('New lead: Jane Doe, 12 Main St, Delta, BC V4C 1A1');
  });

  it('ask for a reply that claims this lead', () => {
    const [, asked = ''] = /Reply (.*?) to get it/.exec(textWords(facts)) ?? [];
    expect(readReply(asked)).toEqual({ meaning: 'claim', lead_id: 788 });
  });

  it('of an assigned lead ask for nothing', () => {
    const assigned = { ...facts, isAssigned: true };
    const { subject, text, html } = emailWords(assigned);
    for (const words of [subject, text, html, textWords(assigned), callWords(assigned)]) {
      expect(words).toMatch(/assigned to you/i);
      expect(words).not.toMatch(/claim\/|Press|Reply/);
    }
  });

  it('break no header and no markup, whatever a lead holds', () => {
    fc.assert(
      fc.property(anyFacts, anything, (some, contact) => {
        const { subject, html } = emailWords({ ...facts, ...some, contact });
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        const tags = [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, tag]) => tag);
        expect(new Set(tags)).toEqual(
          new Set(
            [...tags].filter((tag) =>
              /^(!doctype|html|head|meta|title|body|p|table|tr|th|td|a)$/.test(tag ?? ''),
            ),
          ),
        );
      }),
    );
  });
});
