import { readRule } from './read-rule.ts';
import { isSameRule, type Rule, textOf } from './rule.ts';
import { bodyOf } from './rule-parts.ts';

/**
 * A rule in the form of a text: with the parts in the same order, except for another end. If the text is of another rule, it is
 * ignored.
 */
export function writtenLike(text: string, rule: Rule): string {
  const ends = new Map([
    ['COUNT', rule.count === null ? '' : `COUNT=${rule.count}`],
    ['UNTIL', rule.until === null ? '' : `UNTIL=${rule.until}`],
  ]);
  const parts = bodyOf(text)
    .split(';')
    .map((part) => {
      const key = part.slice(0, part.indexOf('='));
      const end = ends.get(key);
      ends.delete(key);
      return end ?? part;
    });
  const written = [...parts, ...ends.values()].filter((part) => part !== '').join(';');
  const read = readRule(written).rule;
  return read && isSameRule(read, rule) ? written : textOf(rule);
}
