import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRule } from '../test/any-rule.ts';
import { readRule } from './read-rule.ts';
import { type Rule, textOf } from './rule.ts';
import { writtenLike } from './written.ts';

function ruleIn(text: string): Rule {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  return rule;
}

describe('the text of a rule', () => {
  it.each([
    ['BYDAY=TU,MO;WKST=MO;FREQ=WEEKLY', 'BYDAY=TU,MO;WKST=MO;FREQ=WEEKLY'],
    [' RRULE:INTERVAL=01;FREQ=DAILY ', 'INTERVAL=01;FREQ=DAILY'],
  ])('keeps what was written, without RRULE: and whitespace: %j', (text, written) => {
    expect(writtenLike(text, ruleIn(text))).toBe(written);
  });

  it.each([
    [{ count: 2 }, 'BYDAY=TU,MO;COUNT=2;FREQ=WEEKLY'],
    [{ count: null }, 'BYDAY=TU,MO;FREQ=WEEKLY'],
    [{ count: null, until: '20270331' }, 'BYDAY=TU,MO;FREQ=WEEKLY;UNTIL=20270331'],
  ])('keeps its parts when the end changes: %j', (end, written) => {
    const text = 'BYDAY=TU,MO;COUNT=5;FREQ=WEEKLY';
    expect(writtenLike(text, { ...ruleIn(text), ...end })).toBe(written);
  });

  it('always describes the rule', () => {
    fc.assert(
      fc.property(anyRule, anyRule, ({ rule }, other) => {
        expect(textOf(ruleIn(writtenLike(textOf(other.rule), rule)))).toBe(textOf(rule));
      }),
      { numRuns: 200 },
    );
  });
});
