import { instant } from '@crm/contract';
import { readDate } from './date.ts';
import { dateOfDayNumber, dayNumbered } from './spoiled.ts';
import { type Checked, converted } from './value.ts';

const dateAndTime =
  /^(?<date>.*?)[\s,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?:Z|\s*UTC|\s*(?<offset>[+-](?:0\d|1[0-4]):?[0-5]\d)|\s*(?<half>[ap])?\.?(?:m\.?)?)$/i;

/** An instant in ISO 8601, or a date with or without a time as people write it, which is read as UTC if it names no offset. */
export function checkInstant(text: string, today: string): Checked {
  const spoiled = dateOfDayNumber(text);
  if (spoiled !== undefined) return { error: dayNumbered(spoiled) };
  if (instant.safeParse(text).success) return { value: text };
  const {
    date = text,
    hour = '0',
    minute = '00',
    second = '00',
    half,
    offset,
  } = dateAndTime.exec(text)?.groups ?? {};
  const day = readDate(date, today);
  const local = day?.date && `${day.date}T${hourOf(Number(hour), half)}:${minute}:${second}`;
  if (!local || !instant.safeParse(`${local}Z`).success)
    return { error: 'must be a date and time such as 2026-03-01T09:00:00Z or 2026-03-01T09:00:00-07:00' };
  const value = offset === undefined ? `${local}Z` : Temporal.Instant.from(`${local}${offset}`).toString();
  return converted(text, value, day.how);
}

function hourOf(hour: number, half: string | undefined): string {
  if (half === undefined) return String(hour).padStart(2, '0');
  const afternoon = half.toLowerCase() === 'p' ? 12 : 0;
  return hour > 12 ? '99' : String((hour % 12) + afternoon).padStart(2, '0');
}
