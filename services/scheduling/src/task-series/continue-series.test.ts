import { endBefore, occurrences, readRule } from '@crm/recurrence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localText } from '../tasks/due.ts';
import { continueSeries, localOf, type Made } from './continue-series.ts';
import { isBefore, makeOccurrences, mostOpen } from './make-occurrences.ts';
import type { Recurrence } from './recurrence.ts';

const zone = 'America/New_York';
const now = Temporal.Instant.from('2026-03-02T12:00:00Z');

const rules = [
  'FREQ=DAILY',
  'FREQ=DAILY;COUNT=9',
  'FREQ=DAILY;INTERVAL=3;UNTIL=20260420',
  'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=12',
  'FREQ=WEEKLY;INTERVAL=2',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYDAY=-1FR;COUNT=4',
];

const ruleFrom = (text: string) => {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  return rule;
};

interface Occurring extends Made {
  readonly due: string;
}

/** What is stored, as plainly as can be: a list of series and of tasks. */
interface World {
  readonly series: readonly (Recurrence & { readonly id: number; readonly nextIndex: number })[];
  readonly tasks: readonly (Occurring & { readonly series: number | null })[];
  readonly lastId: number;
}

const action = fc.oneof(
  fc.record({
    kind: fc.constant('go on' as const),
    place: fc.nat(30),
    rule: fc.option(fc.constantFrom(...rules)),
    shift: fc.record({ days: fc.integer({ min: -1, max: 1 }), hours: fc.constantFrom(-2, 0, 3) }),
  }),
  fc.record({ kind: fc.constant('close' as const), place: fc.nat(30) }),
  fc.record({ kind: fc.constant('remove' as const), place: fc.nat(30) }),
  fc.record({ kind: fc.constant('extend' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

const shifted = (due: string, { days, hours }: { readonly days: number; readonly hours: number }) =>
  Temporal.PlainDateTime.from(due).add({ days }).add({ hours });

function begin(rule: string): World {
  const recurrence = { rule: ruleFrom(rule), start: Temporal.PlainDateTime.from('2026-03-02T09:00'), zone };
  const { made, nextIndex } = makeOccurrences(recurrence, 0, 0, now);
  const tasks = made.map(({ index, local }, place) => ({
    id: place + 1,
    series: 0,
    index,
    isOpen: true,
    due: localText(local),
  }));
  return { series: [{ ...recurrence, id: 0, nextIndex }], tasks, lastId: tasks.length };
}

/** Carries out a plan on the lists. */
function act(world: World, one: Action): World {
  if (one.kind === 'extend') return extended(world);
  const inSeries = world.tasks.filter(({ series }) => series !== null);
  const named = inSeries[one.place % Math.max(1, inSeries.length)];
  if (!named) return world;
  if (one.kind === 'remove') return { ...world, tasks: world.tasks.filter((task) => task !== named) };
  if (one.kind === 'close') {
    return {
      ...world,
      tasks: world.tasks.map((task) => (task === named ? { ...task, isOpen: false } : task)),
    };
  }
  const series = world.series.find(({ id }) => id === named.series);
  if (!series) return world;
  const rule = one.rule ? ruleFrom(one.rule) : series.rule;
  const start = shifted(named.due, one.shift);
  const made = world.tasks.filter((task) => task.series === series.id && task.index >= named.index);
  const plan = continueSeries(series, named.index, made, { rule, start, zone }, now);
  if (!plan) return world;
  const id = world.series.length;
  const local = localOf(series, named.index);
  const ended = local ? { ...series, rule: endBefore(series.rule, series.start, zone, local) } : series;
  const others = world.tasks.filter((task) => !made.includes(task) || plan.released.includes(task.id));
  const dueOf = new Map(made.map((task) => [task.id, task]));
  return {
    series: [
      ...world.series.map((other) => (other === series ? { ...ended, nextIndex: named.index } : other)),
      { ...plan.recurrence, id, nextIndex: plan.next.nextIndex },
    ],
    tasks: [
      ...others.map((task) => (plan.released.includes(task.id) ? { ...task, series: null } : task)),
      ...plan.moved.map(({ id: task, at }) => ({
        id: task,
        series: id,
        index: at.index,
        isOpen: dueOf.get(task)?.isOpen ?? true,
        due: localText(at.local),
      })),
      ...plan.kept.map(({ id: task, index }) => ({
        id: task,
        series: id,
        index,
        isOpen: false,
        due: dueOf.get(task)?.due ?? '',
      })),
      ...plan.added.map(({ index, local: at }, place) => ({
        id: world.lastId + 1 + place,
        series: id,
        index,
        isOpen: true,
        due: localText(at),
      })),
    ],
    lastId: world.lastId + plan.added.length,
  };
}

function extended(world: World): World {
  const added = world.series.flatMap((one) => {
    const open = world.tasks.filter((task) => task.series === one.id && task.isOpen).length;
    const { made } = makeOccurrences(one, one.nextIndex, open, now);
    return made.map(({ index, local }) => ({ series: one.id, index, isOpen: true, due: localText(local) }));
  });
  return {
    series: world.series.map((one) => ({
      ...one,
      nextIndex: one.nextIndex + added.filter(({ series }) => series === one.id).length,
    })),
    tasks: [...world.tasks, ...added.map((task, place) => ({ ...task, id: world.lastId + 1 + place }))],
    lastId: world.lastId + added.length,
  };
}

/**
 * The same, told without any arithmetic of rules: a series is a list of days, of which some are crossed out, and
 * going on cuts the list in two.
 */
interface Segment {
  readonly rule: string;
  /** All days that ever come, or very many. */
  readonly days: readonly string[];
  readonly removed: ReadonlySet<number>;
  /** When the closed ones are, by place. */
  readonly closed: ReadonlyMap<number, string>;
}

interface Told {
  readonly segments: readonly Segment[];
  readonly alone: readonly string[];
}

const veryMany = 700;

function daysOf(rule: string, start: Temporal.PlainDateTime, most = veryMany): string[] {
  const found = occurrences(ruleFrom(rule), start, zone, { limit: Math.min(most, veryMany) });
  return found.map(({ local }) => localText(local));
}

const endless = (rule: string) => rule.replace(/;(COUNT|UNTIL)=\w+/, '');

function tell(told: Told, world: World, one: Action): Told {
  if (one.kind === 'extend') return told;
  const inSeries = world.tasks.filter(({ series }) => series !== null);
  const named = inSeries[one.place % Math.max(1, inSeries.length)];
  const segment = named && told.segments[named.series ?? -1];
  if (!named || !segment) return told;
  const put = (changed: Segment, ...more: readonly Segment[]) => [
    ...told.segments.map((other) => (other === segment ? changed : other)),
    ...more,
  ];
  const place = named.index;
  if (one.kind === 'remove') {
    const closed = new Map([...segment.closed].filter(([at]) => at !== place));
    return {
      ...told,
      segments: put({ ...segment, removed: segment.removed.union(new Set([place])), closed }),
    };
  }
  if (one.kind === 'close') {
    const closed = new Map([...segment.closed, [place, named.due]]);
    return { ...told, segments: put({ ...segment, closed }) };
  }
  const isSame = one.rule === null || one.rule === segment.rule;
  const isCounted = isSame && segment.rule.includes('COUNT');
  const left = segment.days.length - place;
  const start = shifted(named.due, one.shift);
  const rule = isCounted ? `${endless(segment.rule)};COUNT=${left}` : (one.rule ?? segment.rule);
  const days = isCounted ? daysOf(endless(rule), start, left) : daysOf(rule, start);
  if (days.length === 0) return told;
  const last = Temporal.PlainDateTime.from(segment.days[place] ?? '').subtract({ seconds: 1 });
  const before = {
    rule: `${endless(segment.rule)};UNTIL=${localText(last).replaceAll(/[-:]/g, '')}`,
    days: segment.days.slice(0, place),
    removed: segment.removed,
    closed: new Map([...segment.closed].filter(([at]) => at < place)),
  };
  const following = [...segment.closed].filter(([at]) => at > place);
  const kept = isSame ? following.filter(([at]) => at - place < days.length) : [];
  const first = segment.closed.has(place) ? ([[0, days[0] ?? '']] as const) : [];
  const after = {
    rule,
    days,
    removed: new Set(isSame ? [...segment.removed].map((at) => at - place) : []),
    closed: new Map([...first, ...kept.map(([at, due]) => [at - place, due] as const)]),
  };
  const gone = following.filter((other) => !kept.includes(other)).map(([, due]) => due);
  return { segments: put(before, after), alone: [...told.alone, ...gone] };
}

describe('a series that goes on again and again', () => {
  it('has, up to where it was made, the days that a plain list has: none missing and none twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.array(action, { maxLength: 8 }), (rule, actions) => {
        let world = begin(rule);
        const days = daysOf(rule, Temporal.PlainDateTime.from('2026-03-02T09:00'));
        let told: Told = { segments: [{ rule, days, removed: new Set(), closed: new Map() }], alone: [] };
        for (const one of actions) {
          told = tell(told, world, one);
          world = act(world, one);
        }
        for (const [id, segment] of told.segments.entries()) {
          const series = world.series[id];
          const made = world.tasks.filter((task) => task.series === id).toSorted((a, b) => a.index - b.index);
          const wanted = segment.days
            .slice(0, series?.nextIndex)
            .map((day, at) => segment.closed.get(at) ?? day)
            .filter((_, at) => !segment.removed.has(at));
          expect(made.map(({ due }) => due)).toEqual(wanted);
          expect(new Set(made.map(({ index }) => index)).size).toBe(made.length);
          expect(made.filter(({ isOpen }) => !isOpen).map(({ index }) => index)).toEqual(
            [...segment.closed.keys()].toSorted((a, b) => a - b),
          );
        }
        const alone = world.tasks.filter(({ series }) => series === null).map(({ due }) => due);
        expect(alone.toSorted()).toEqual(told.alone.toSorted());
        expect(new Set(world.tasks.map(({ id }) => id)).size).toBe(world.tasks.length);
      }),
      { numRuns: 150 },
    );
  });

  it('is there as far ahead as a new one, and no more often', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.constantFrom(...rules), fc.nat(8), (rule, next, place) => {
        const world = begin(rule);
        const [series] = world.series;
        const named = world.tasks[place % world.tasks.length];
        if (!series || !named) return;
        const start = Temporal.PlainDateTime.from(named.due);
        const made = world.tasks.slice(world.tasks.indexOf(named));
        const sent = { rule: ruleFrom(next), start, zone };
        const plan = continueSeries(series, named.index, made, sent, now);
        if (!plan) return;
        const anew = makeOccurrences(plan.recurrence, 0, 0, now);
        expect(plan.next.nextIndex).toBeGreaterThanOrEqual(anew.nextIndex);
        expect(plan.moved.length + plan.added.length).toBeLessThanOrEqual(mostOpen);
        const { extendAt } = plan.next;
        expect(extendAt === null || isBefore(now, extendAt)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
