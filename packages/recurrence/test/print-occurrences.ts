import { stdout } from 'node:process';
import { occurrences, readRule, textOf } from '../src/index.ts';

// A separate program, because a process keeps the time zone it started with.
const rules = [
  'FREQ=DAILY;COUNT=20',
  'FREQ=WEEKLY;BYDAY=SU,MO;BYSETPOS=-1;COUNT=20',
  'FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20280301',
  'FREQ=MONTHLY;BYDAY=2SU;UNTIL=20280312T063000Z',
  'FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO,SU;UNTIL=20350101T000000',
];
const zones = ['America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'];
const starts = ['2027-03-10T02:30', '2027-10-31T00:00', '2027-12-31T23:59'];

for (const text of rules) {
  const { rule } = readRule(text);
  if (!rule) throw new Error(`${text} was refused`);
  for (const zone of zones) {
    for (const start of starts) {
      const found = occurrences(rule, Temporal.PlainDateTime.from(start), zone, { limit: 20 });
      stdout.write(`${textOf(rule)} ${zone} ${start} ${found.map(({ instant }) => instant).join(' ')}\n`);
    }
  }
}
stdout.write(`${new Date(2027, 0, 1).toISOString()}\n`);
