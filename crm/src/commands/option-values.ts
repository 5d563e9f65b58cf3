import { machineClock } from '@crm/service/process';
import { Unable } from '../system/unable.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The whole number given for an option such as `--limit`. Throws Unable. */
export function wholeNumber(option: string, text: string, { min, max }: Range): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Unable('Usage', `${option} is "${text}" but must be a whole number from ${min} to ${max}.`);
}

/** The word given for an option such as `--service`, out of some. Throws Unable. */
export function oneOf<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new Unable('Usage', `${option} is "${text}" but must be one of ${words.join(', ')}.`);
}

/** The time given for an option such as `--since`. Throws Unable. */
export function timeOf(option: string, text: string, form = 'a time such as 2026-01-31T12:00:00Z'): Date {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new Unable('Usage', `${option} is "${text}" but must be ${form}.`);
}

const msOf: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time given for the option `--since`, which may also be a duration before now. Throws Unable. */
export function sinceIn(text: string): Date {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = msOf[unit];
  if (ms !== undefined) return new Date(machineClock().getTime() - Number(count) * ms);
  return timeOf('--since', text, 'like 90m, 12h or 7d, or a time such as 2026-01-31');
}
