import { describe, expect, it } from 'vitest';
import { chooseOffer } from './choose-offer.ts';
import type { TextedOffer } from './inbound-text.queries.ts';
import { readReply } from './read-reply.ts';

describe('an incoming text', () => {
  it.each([
    ['claim 788', 788],
    ['CLAIM 788', 788],
    ['Claim #788!', 788],
    ['claim lead 788', 788],
    ['yes 788', 788],
    ['Yes, 788.', 788],
    ['1 788', 788],
    ['788', 788],
    [' yes ', undefined],
    ['Y', undefined],
    ['1', undefined],
    ['Claim!', undefined],
  ])('"%s" claims %s', (text, lead_id) => {
    expect(readReply(text)).toEqual({ isClaim: true, lead_id });
  });

  it.each(['', 'yes please call me', 'I claim nothing', '7', 'no', '12345678901', 'yesterday 788'])(
    '"%s" claims nothing',
    (text) => {
      expect(readReply(text)).toEqual({ isClaim: false });
    },
  );
});

const offer = (lead_id: number, isOpen = true): TextedOffer => ({ lead_id, user_id: 5, isOpen });

describe('the lead that a reply refers to', () => {
  it('is the only open one, even if others were texted about later', () => {
    const choice = chooseOffer([offer(9, false), offer(8), offer(7, false)], undefined);
    expect(choice).toEqual({ is: 'one', offer: offer(8) });
  });

  it('must be named if several are open', () => {
    expect(chooseOffer([offer(9), offer(8)], undefined)).toEqual({ is: 'several', lead_ids: [9, 8] });
    expect(chooseOffer([offer(9), offer(8)], 8)).toEqual({ is: 'one', offer: offer(8) });
  });

  it('is the latest one if none is open', () => {
    expect(chooseOffer([offer(9, false), offer(8, false)], undefined)).toEqual({
      is: 'one',
      offer: offer(9, false),
    });
  });

  it('is always one that the number was texted about', () => {
    expect(chooseOffer([offer(9)], 10)).toEqual({ is: 'none' });
    expect(chooseOffer([], undefined)).toEqual({ is: 'none' });
  });
});
