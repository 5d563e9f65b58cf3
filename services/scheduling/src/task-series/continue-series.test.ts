import { endBefore, isBefore, occurrences, readRule } from '@crm/recurrence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localText } from '../tasks/due.ts';
import { continueSeries, type ExistingOccurrence, localOf } from './continue-series.ts';
import { maxOpen, planOccurrences } from './plan-occurrences.ts';
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

interface Occurring extends ExistingOccurrence {
  readonly due: string;
}

/** The stored rows in the simplest form: a list of series and a list of tasks. */
interface World {
  readonly series: readonly (Recurrence & { readonly id: number; readonly nextIndex: number })[];
  readonly tasks: readonly (Occurring & { readonly series: number | null })[];
  readonly lastId: number;
}

const action = fc.oneof(
  fc.record({
    kind: fc.constant('continue' as const),
    position: fc.nat(30),
    rule: fc.option(fc.constantFrom(...rules)),
    shift: fc.record({ days: fc.integer({ min: -1, max: 1 }), hours: fc.constantFrom(-2, 0, 3) }),
  }),
  fc.record({ kind: fc.constant('close' as const), position: fc.nat(30) }),
  fc.record({ kind: fc.constant('remove' as const), position: fc.nat(30) }),
  fc.record({ kind: fc.constant('extend' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

const shifted = (due: string, { days, hours }: { readonly days: number; readonly hours: number }) =>
  Temporal.PlainDateTime.from(due).add({ days }).add({ hours });

function begin(rule: string): World {
  const recurrence = { rule: ruleFrom(rule), start: Temporal.PlainDateTime.from('2026-03-02T09:00'), zone };
  const { added, nextIndex } = planOccurrences(recurrence, 0, 0, now);
  const tasks = added.map(({ index, local }, position) => ({
    id: position + 1,
    series: 0,
    index,
    isOpen: true,
    due: localText(local),
  }));
  return { series: [{ ...recurrence, id: 0, nextIndex }], tasks, lastId: tasks.length };
}

/** Applies an action to the lists. */
function act(world: World, one: Action): World {
  if (one.kind === 'extend') return extended(world);
  const inSeries = world.tasks.filter(({ series }) => series !== null);
  const chosen = inSeries[one.position % Math.max(1, inSeries.length)];
  if (!chosen) return world;
  if (one.kind === 'remove') return { ...world, tasks: world.tasks.filter((task) => task !== chosen) };
  if (one.kind === 'close') {
    const tasks = world.tasks.map((task) => (task === chosen ? { ...task, isOpen: false } : task));
    return { ...world, tasks };
  }
  const series = world.series.find(({ id }) => id === chosen.series);
  if (!series) return world;
  const rule = one.rule ? ruleFrom(one.rule) : series.rule;
  const start = shifted(chosen.due, one.shift);
  const existing = world.tasks.filter((task) => task.series === series.id && task.index >= chosen.index);
  const plan = continueSeries(series, chosen.index, existing, { rule, start, zone }, now);
  return plan ? continued(world, series, chosen.index, plan) : world;
}

type Series = World['series'][number];
type Plan = NonNullable<ReturnType<typeof continueSeries>>;

/** Executes the plan of a continued series. */
function continued(world: World, series: Series, from: number, plan: Plan): World {
  const id = world.series.length;
  const local = localOf(series, from);
  const rule = local ? endBefore(series.rule, series.start, zone, local) : series.rule;
  const ended = { ...series, rule, nextIndex: from };
  const before = new Map(world.tasks.map((task) => [task.id, task]));
  const isOpen = (task: number) => before.get(task)?.isOpen ?? true;
  const isAffected = (task: World['tasks'][number]) => task.series === series.id && task.index >= from;
  const occurrence = (task: number, index: number, due: string) =>
    ({ id: task, series: id, index, isOpen: isOpen(task), due }) as const;
  return {
    series: [
      ...world.series.map((other) => (other === series ? ended : other)),
      { ...plan.recurrence, id, nextIndex: plan.next.nextIndex },
    ],
    tasks: [
      ...world.tasks.filter((task) => !isAffected(task)),
      ...world.tasks
        .filter((task) => plan.released.includes(task.id))
        .map((task) => ({ ...task, series: null })),
      ...plan.moved.map(({ id: task, at }) => occurrence(task, at.index, localText(at.local))),
      ...plan.kept.map(({ id: task, index }) => occurrence(task, index, before.get(task)?.due ?? '')),
      ...plan.added.map(({ index, local: at }, position) =>
        occurrence(world.lastId + 1 + position, index, localText(at)),
      ),
    ],
    lastId: world.lastId + plan.added.length,
  };
}

function extended(world: World): World {
  const added = world.series.flatMap((one) => {
    const open = world.tasks.filter((task) => task.series === one.id && task.isOpen).length;
    const plan = planOccurrences(one, one.nextIndex, open, now);
    return plan.added.map(({ index, local }) => ({
      series: one.id,
      index,
      isOpen: true,
      due: localText(local),
    }));
  });
  return {
    series: world.series.map((one) => ({
      ...one,
      nextIndex: one.nextIndex + added.filter(({ series }) => series === one.id).length,
    })),
    tasks: [...world.tasks, ...added.map((task, position) => ({ ...task, id: world.lastId + 1 + position }))],
    lastId: world.lastId + added.length,
  };
}

/**
 * A model without rule arithmetic: a series is a list of days, some of them crossed out, and continuing it as a new one cuts the
 * list in two.
 */
interface Segment {
  readonly rule: string;
  /** All days of the series, or very many. */
  readonly days: readonly string[];
  readonly removed: ReadonlySet<number>;
  /** The due times of the closed ones, by index. */
  readonly closed: ReadonlyMap<number, string>;
}

interface Model {
  readonly segments: readonly Segment[];
  readonly alone: readonly string[];
}

const veryMany = 700;

function daysOf(rule: string, start: Temporal.PlainDateTime, limit = veryMany): string[] {
  const found = occurrences(ruleFrom(rule), start, zone, { limit: Math.min(limit, veryMany) });
  return found.map(({ local }) => localText(local));
}

const endless = (rule: string) => rule.replace(/;(COUNT|UNTIL)=\w+/, '');

function applied(model: Model, world: World, one: Action): Model {
  if (one.kind === 'extend') return model;
  const inSeries = world.tasks.filter(({ series }) => series !== null);
  const chosen = inSeries[one.position % Math.max(1, inSeries.length)];
  const segment = chosen && model.segments[chosen.series ?? -1];
  if (!chosen || !segment) return model;
  const put = (changed: Segment, ...more: readonly Segment[]) => [
    ...model.segments.map((other) => (other === segment ? changed : other)),
    ...more,
  ];
  const { index, due } = chosen;
  if (one.kind === 'remove') {
    const removed = segment.removed.union(new Set([index]));
    const closed = new Map([...segment.closed].filter(([at]) => at !== index));
    return { ...model, segments: put({ ...segment, removed, closed }) };
  }
  if (one.kind === 'close') {
    const closed = new Map([...segment.closed, [index, due]]);
    return { ...model, segments: put({ ...segment, closed }) };
  }
  const parts = cut(segment, index, shifted(due, one.shift), one.rule);
  if (!parts) return model;
  return { segments: put(parts.before, parts.after), alone: [...model.alone, ...parts.released] };
}

/** Cuts a segment in two before one of its days. Undefined if the second part would be empty. */
function cut(segment: Segment, index: number, start: Temporal.PlainDateTime, sent: string | null) {
  const isSame = sent === null || sent === segment.rule;
  const hasSameEnd = isSame && segment.rule !== endless(segment.rule);
  const left = segment.days.length - index;
  const isEndLeft = !hasSameEnd || daysOf(segment.rule, start).length === left;
  const rule = isEndLeft ? (sent ?? segment.rule) : `${endless(segment.rule)};COUNT=${left}`;
  const days = hasSameEnd ? daysOf(endless(rule), start, left) : daysOf(rule, start);
  if (days.length === 0) return undefined;
  const last = Temporal.PlainDateTime.from(segment.days[index] ?? '').subtract({ seconds: 1 });
  const before = {
    rule: `${endless(segment.rule)};UNTIL=${localText(last).replaceAll(/[-:]/g, '')}`,
    days: segment.days.slice(0, index),
    removed: segment.removed,
    closed: new Map([...segment.closed].filter(([at]) => at < index)),
  };
  const following = [...segment.closed].filter(([at]) => at > index);
  const kept = isSame ? following.filter(([at]) => at - index < days.length) : [];
  const first = segment.closed.has(index) ? ([[0, days[0] ?? '']] as const) : [];
  const after = {
    rule,
    days,
    removed: new Set(isSame ? [...segment.removed].map((at) => at - index) : []),
    closed: new Map([...first, ...kept.map(([at, due]) => [at - index, due] as const)]),
  };
  const released = following.filter((other) => !kept.includes(other)).map(([, due]) => due);
  return { before, after, released };
}

describe('a series that is continued repeatedly', () => {
  it('has, as far as it was created, the days of a plain list: none missing and none twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.array(action, { maxLength: 8 }), (rule, actions) => {
        let world = begin(rule);
        const days = daysOf(rule, Temporal.PlainDateTime.from('2026-03-02T09:00'));
        let model: Model = { segments: [{ rule, days, removed: new Set(), closed: new Map() }], alone: [] };
        for (const one of actions) {
          model = applied(model, world, one);
          world = act(world, one);
        }
        for (const [id, segment] of model.segments.entries()) {
          const series = world.series[id];
          const existing = world.tasks
            .filter((task) => task.series === id)
            .toSorted((a, b) => a.index - b.index);
          const wanted = segment.days
            .slice(0, series?.nextIndex)
            .map((day, at) => segment.closed.get(at) ?? day)
            .filter((_, at) => !segment.removed.has(at));
          expect(existing.map(({ due }) => due)).toEqual(wanted);
          expect(new Set(existing.map(({ index }) => index)).size).toBe(existing.length);
          expect(existing.filter(({ isOpen }) => !isOpen).map(({ index }) => index)).toEqual(
            [...segment.closed.keys()].toSorted((a, b) => a - b),
          );
        }
        const alone = world.tasks.filter(({ series }) => series === null).map(({ due }) => due);
        expect(alone.toSorted()).toEqual(model.alone.toSorted());
        expect(new Set(world.tasks.map(({ id }) => id)).size).toBe(world.tasks.length);
      }),
      { numRuns: 150 },
    );
  });

  it('is created as far ahead as a new one, with no more open occurrences', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.constantFrom(...rules), fc.nat(8), (rule, next, index) => {
        const world = begin(rule);
        const [series] = world.series;
        const chosen = world.tasks[index % world.tasks.length];
        if (!series || !chosen) return;
        const start = Temporal.PlainDateTime.from(chosen.due);
        const existing = world.tasks.slice(world.tasks.indexOf(chosen));
        const sent = { rule: ruleFrom(next), start, zone };
        const plan = continueSeries(series, chosen.index, existing, sent, now);
        if (!plan) return;
        const fresh = planOccurrences(plan.recurrence, 0, 0, now);
        expect(plan.next.nextIndex).toBeGreaterThanOrEqual(fresh.nextIndex);
        expect(plan.moved.length + plan.added.length).toBeLessThanOrEqual(maxOpen);
        const { extendAt } = plan.next;
        expect(extendAt === null || isBefore(now, extendAt)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
