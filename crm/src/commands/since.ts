import { machineClock } from '@crm/service';
import { timeOf } from './option-values.ts';

const msOf: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time that the option `--since` names. Throws Unable. */
export function sinceIn(text: string): Date {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = msOf[unit];
  if (ms !== undefined) return new Date(machineClock().getTime() - Number(count) * ms);
  return timeOf('--since', text, 'like 90m, 12h or 7d, or a time such as 2026-01-31');
}
