import { RuleRefused } from './rule-refused.ts';

const timeParts = ['BYHOUR', 'BYMINUTE', 'BYSECOND'] as const;

export const isTimePart = (key: string): boolean => timeParts.some((part) => part === key);

/** Refuses parts that set another time of day than the start, whose time applies to every occurrence. */
export function refuseOtherTimes(parts: ReadonlyMap<string, string>, start: Temporal.PlainTime | undefined) {
  for (const key of timeParts) {
    const value = parts.get(key);
    if (value === undefined) continue;
    if (!start) throw new RuleRefused(`must not contain ${key}: the time of day is that of the start`);
    if (key === 'BYHOUR' && parts.get('FREQ') === 'HOURLY')
      throw new RuleRefused('must not contain BYHOUR with FREQ=HOURLY');
    const own = { BYHOUR: start.hour, BYMINUTE: start.minute, BYSECOND: start.second }[key];
    const isOwn = (item: string) => /^\d{1,2}$/.test(item) && Number(item) === own;
    if (!value.split(',').every(isOwn))
      throw new RuleRefused(`may contain ${key} only as ${own}: the time of day is that of the start`);
  }
}
