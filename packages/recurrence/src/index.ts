export { dateOf, instantOf, isBefore, localIn } from './local-time.ts';
export { occurrences } from './occurrences.ts';
export { readRule } from './read-rule.ts';
export { isSameRule, type Rule, textOf } from './rule.ts';
export { type Occurrence, series } from './series.ts';
export { endBefore, movedRule, remainder } from './split.ts';
export { isDay, type Start, timeOfStart } from './start.ts';
export { writtenLike } from './written.ts';
