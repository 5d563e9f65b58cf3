import type { Action } from '../src/enrolments/when-of.ts';

/** A model that goes through the days and gets local times from Intl, without Temporal. */
export const model = {
  localAt(ms: number, zone: string): number {
    const parts = Object.fromEntries(
      formatterOf(zone)
        .formatToParts(ms)
        .map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  },

  /** The earliest moment of a local time; if the clocks skip it, the moment by the offset before the change. */
  momentOf(local: number, zone: string): number {
    const offsets = [-30, -24, -18, -12, -6, 0, 6, 12, 18, 24, 30].map((hours) => {
      const ms = local + hours * 3_600_000;
      return model.localAt(ms, zone) - ms;
    });
    const [before = 0] = offsets;
    const moments = offsets.map((offset) => local - offset).toSorted((a, b) => a - b);
    return moments.find((ms) => model.localAt(ms, zone) === local) ?? local - before;
  },

  scheduled(action: Action, start: number, zone: string, birthday: readonly [number, number]): number {
    const today = Math.floor(model.localAt(start, zone) / day) * day;
    const time = timeOf(action.dispatch_time ?? '00:00:00');
    const days = (action.delay_by_days ?? 0) * day;
    const seconds = (action.delay_by_seconds ?? 0) * 1000;
    if (action.timing_type === 'Delay by Minutes' && action.event_trigger_type === '1')
      return start + seconds;
    for (let one = today; ; one += day) {
      if (action.event_trigger_type === '2' && !isBirthday(new Date(one), birthday)) continue;
      const moment =
        action.timing_type === 'Delay by Minutes'
          ? model.momentOf(one, zone) + seconds
          : model.momentOf(one + days + time, zone);
      if (moment >= start) return moment;
    }
  },
};

export const day = 86_400_000;
const timeOf = (text: string) => Date.parse(`1970-01-01T${text}Z`);

function isBirthday(date: Date, [month, of]: readonly [number, number]): boolean {
  const year = date.getUTCFullYear();
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
  const wanted = month === 2 && of === 29 && !isLeap ? 28 : of;
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === wanted;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
}
