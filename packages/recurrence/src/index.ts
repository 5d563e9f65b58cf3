export { instantOf, localIn } from './local-time.ts';
export { occurrences, type Window } from './occurrences.ts';
export { type RuleReading, readRule } from './read-rule.ts';
export { isSameRule, type Rule, textOf } from './rule.ts';
export type { Occurrence } from './series.ts';
export { endBefore, remainder } from './split.ts';
