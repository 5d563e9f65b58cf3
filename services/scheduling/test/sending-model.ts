/** The rules of sending, implemented differently: it tries every quarter of an hour until one is allowed. */
export interface Person {
  readonly number: string | null;
  readonly zone: string | null;
  readonly addresses: readonly { readonly state: string | null; readonly zip: string | null }[];
  readonly senderZone: string;
  /** What a reader of the rules expects: zones and, for each day of the week from Monday, the hours. */
  readonly zones: readonly string[];
  readonly week: string;
  /** The hours of calls, if they are narrower than those of texts. */
  readonly callWeek: string;
}

const usual = '8-21 8-21 8-21 8-21 8-21 8-21 8-21';
const address = (state: string | null, zip: string | null = null) => ({ state, zip });
const person = (
  number: string | null,
  addresses: Person['addresses'],
  zones: string,
  week = usual,
  senderZone = 'America/New_York',
  zone: string | null = null,
  callWeek = week,
): Person => ({ number, zone, addresses, senderZone, zones: zones.split(' '), week, callWeek });
const canadian = (
  number: string | null,
  addresses: Person['addresses'],
  zones: string,
  callWeek = '9-21 9-21 9-21 9-21 9-21 10-18 10-18',
  week = usual,
) => person(number, addresses, zones, week, 'America/New_York', null, callWeek);

const eight = '8-20 8-20 8-20 8-20 8-20 8-20';

export const persons: readonly Person[] = [
  canadian('+16045554572', [], 'America/Vancouver'),
  person('+12125550100', [], 'America/New_York'),
  person('+19075550100', [], 'America/Anchorage America/Adak'),
  person('+18085550100', [], 'Pacific/Honolulu'),
  canadian('+17095550100', [], 'America/St_Johns America/Goose_Bay'),
  person('+14805550100', [], 'America/Phoenix'),
  person('+13055550100', [], 'America/New_York', `${eight} 8-20`),
  person('+18505550100', [], 'America/New_York America/Chicago', `${eight} 8-20`),
  person('+12055550100', [], 'America/Chicago', `${eight} -`),
  person('+16055550100', [], 'America/Chicago America/Denver', '9-21 9-21 9-21 9-21 9-21 - -'),
  person('+14015550100', [], 'America/New_York', '9-18 9-18 9-18 9-18 9-18 10-17 -'),
  person('+12145550100', [], 'America/Chicago', '9-21 9-21 9-21 9-21 9-21 9-21 12-21'),
  person('+12065550100', [], 'America/Los_Angeles', `${eight} 8-20`),
  person('+15035550100', [], 'America/Los_Angeles', `${eight} 8-20`),
  person('+13075550100', [], 'America/Denver', `${eight} 8-20`),
  person('+18015550100', [], 'America/Denver', '8-21 8-21 8-21 8-21 8-21 8-21 -'),
  person('+12285550100', [], 'America/Chicago', '8-21 8-21 8-21 8-21 8-21 8-21 -'),
  person('+12155550100', [], 'America/New_York', '9-19 9-19 9-19 9-19 9-19 9-19 -'),
  person(
    '+12145550100',
    [address('Rhode Island')],
    'America/Chicago America/New_York',
    '9-18 9-18 9-18 9-18 9-18 10-17 -',
  ),
  person('+12125550100', [address('florida')], 'America/New_York America/Chicago', `${eight} 8-20`),
  person('+12125550100', [address('CA', '90001')], 'America/New_York America/Los_Angeles'),
  person('+12135550100', [address(null, '10001')], 'America/Los_Angeles America/New_York'),
  person('+12125550100', [address('Hawaii')], 'America/New_York Pacific/Honolulu'),
  person(
    '+12125550100',
    [address('Rhode Island', '90001')],
    'America/New_York America/Los_Angeles',
    '9-18 9-18 9-18 9-18 9-18 10-17 -',
  ),
  person('+18005550100', [address(null, '96815')], 'Pacific/Honolulu'),
  canadian(null, [address('ON')], 'America/Toronto America/Winnipeg'),
  canadian(null, [address(null, 'V6B 1A1')], 'America/Vancouver America/Edmonton'),
  canadian(
    '+12145550100',
    [address('Quebec')],
    'America/Chicago America/Toronto America/Halifax',
    '9-21 9-21 9-21 9-21 9-21 10-18 12-18',
    '9-21 9-21 9-21 9-21 9-21 9-21 12-21',
  ),
  person(null, [address('Hawaii'), address(null, '10001-1234')], 'Pacific/Honolulu America/New_York'),
  person('+12125550100', [], 'America/Denver', usual, 'America/New_York', 'America/Denver'),
  person('+12145550100', [], 'Asia/Tokyo', '9-21 9-21 9-21 9-21 9-21 9-21 12-21', 'Asia/Tokyo', 'Asia/Tokyo'),
  person('+12195550100', [], 'America/Chicago America/New_York'),
  person('+442079460958', [], 'Europe/London', usual, 'America/Los_Angeles'),
  person('+442079460958', [address('HI')], 'Europe/London Pacific/Honolulu'),
  person('+16702345678', [], 'Pacific/Saipan'),
  person('+18005550100', [], 'Asia/Kolkata', usual, 'Asia/Kolkata'),
  person(null, [address('Bavaria', 'x')], 'Asia/Kolkata', usual, 'Asia/Kolkata'),
  person(
    null,
    [address('Guam'), address('RI')],
    'Pacific/Guam America/New_York',
    '9-18 9-18 9-18 9-18 9-18 10-17 -',
  ),
];

const quarter = 900_000;
const days = 9;
const formats = new Map<string, Intl.DateTimeFormat>();

function isOpenIn(zone: string, week: string, ms: number): boolean {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' });
  formats.set(zone, format);
  const [weekday = '', hour = ''] = format.format(ms).split(', ');
  const hours = week.split(' ')[['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday)] ?? '-';
  if (hours === '-') return false;
  const [from = 0, until = 0] = hours.split('-').map(Number);
  return Number(hour) >= from && Number(hour) < until;
}

/** Whether a moment is within somebody's hours in all zones. */
export const isRightHour = ({ zones, week, callWeek }: Person, isCall: boolean, ms: number): boolean =>
  zones.every((zone) => isOpenIn(zone, isCall ? callWeek : week, ms));

export interface Limit {
  readonly sentAt: readonly number[];
  readonly max: number;
}

/**
 * The first moment at which everything is allowed; undefined if there is none within days after the limits are no longer reached.
 */
export function firstRight(
  person: Person,
  quiet: 'texts' | 'calls' | null,
  limits: readonly Limit[],
  now: number,
): number | undefined {
  const isFree = (ms: number) =>
    limits.every(({ sentAt, max }) => sentAt.filter((at) => at > ms - 86_400_000).length < max);
  const moments = limits
    .flatMap(({ sentAt }) => sentAt.map((at) => at + 86_400_000))
    .filter((at) => at > now);
  const free = [now, ...moments].toSorted((a, b) => a - b).find(isFree) ?? now;
  if (!quiet) return free;
  const end = free + days * 86_400_000;
  for (let at = free; at < end; at = Math.floor(at / quarter) * quarter + quarter) {
    if (isRightHour(person, quiet === 'calls', at)) return at;
  }
  return undefined;
}
