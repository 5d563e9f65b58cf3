import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsOf, type MemberOption, type OfferMade, plan, type RolloutTeam } from './plan.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const open = {};
const at = (time: string) => new Date(`2026-03-01T${time}:00Z`);

const option = (id: number, facts: Partial<MemberOption> = {}): MemberOption => ({
  id,
  user_id: 10 + id,
  rank: 0,
  mins_until_lead_offer: 0,
  assign_automatically: false,
  has_email_alert: false,
  has_text_alert: false,
  has_call_alert: false,
  ...facts,
});
const team = (facts: Partial<RolloutTeam> = {}): RolloutTeam => ({
  order_method: 'Rank',
  mins_until_next_alert: 5,
  accepted_user_ids: [11, 12, 13, 14],
  ...facts,
});
const timesOf = (planned: readonly OfferMade[]) =>
  planned.map(({ user_id, notify_at }) => [user_id, notify_at.toISOString().slice(11, 16)]);

const anna = option(1, { rank: 2, mins_until_lead_offer: 0 });
const ben = option(2, { rank: 1, mins_until_lead_offer: 5 });
const cleo = option(3, { rank: 2, mins_until_lead_offer: 0 });

describe('the plan of a rollout', () => {
  it.each([
    [
      'Rank',
      5,
      [
        [12, '12:00'],
        [11, '12:05'],
        [13, '12:10'],
      ],
    ],
    [
      'Rank',
      0,
      [
        [12, '12:00'],
        [11, '12:00'],
        [13, '12:00'],
      ],
    ],
    [
      'Time',
      0,
      [
        [11, '12:00'],
        [13, '12:00'],
        [12, '12:05'],
      ],
    ],
  ] as const)('by %s with a step of %i minutes', (order_method, mins_until_next_alert, expected) => {
    const planned = plan(open, team({ order_method, mins_until_next_alert }), [cleo, anna, ben], [], noon);
    expect(timesOf(planned)).toEqual(expected);
  });

  it('leaves out members who have not accepted, and does not wait for them', () => {
    const planned = plan(open, team({ accepted_user_ids: [11, 13] }), [anna, ben, cleo], [], noon);
    expect(timesOf(planned)).toEqual([
      [11, '12:00'],
      [13, '12:05'],
    ]);
  });

  it('does not offer a claimed lead', () => {
    expect(plan({ claimed_by_user_id: 12 }, team(), [anna, ben], [], noon)).toEqual([]);
  });

  it('copies the alerts of each option', () => {
    const [first, second] = plan(
      open,
      team(),
      [option(1), option(2, { assign_automatically: true, has_call_alert: true })],
      [],
      noon,
    );
    expect(first).toMatchObject({ has_email_alert: false, has_text_alert: false, has_call_alert: false });
    expect(second).toMatchObject({
      assign_automatically: true,
      has_email_alert: false,
      has_call_alert: true,
    });
  });

  it('never exceeds a four-digit year', () => {
    const far = team({ mins_until_next_alert: 2147483647 });
    const last = plan(open, far, [option(1), option(2), option(3), option(4)], [], noon).at(-1);
    expect(last?.notify_at.toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('the plan of a rollout that has begun', () => {
  const begun = [
    { user_id: 12, notify_at: at('12:00') },
    { user_id: 11, notify_at: at('12:05') },
  ];

  it('makes nobody a second offer', () => {
    expect(plan(open, team(), [anna, ben], begun, at('12:01'))).toEqual([]);
  });

  it('lets new members wait for those before them', () => {
    expect(timesOf(plan(open, team(), [anna, ben, cleo], begun, at('12:01')))).toEqual([[13, '12:10']]);
  });

  it('does not wait for turns that have long passed', () => {
    expect(timesOf(plan(open, team(), [anna, ben, cleo], begun, at('13:00')))).toEqual([[13, '13:00']]);
  });

  it('gives a new first member a turn immediately', () => {
    const first = option(4, { rank: 0 });
    expect(timesOf(plan(open, team(), [anna, ben, first], begun, at('12:01')))).toEqual([[14, '12:01']]);
  });

  it('by time lets new members wait for their own number of minutes', () => {
    const late = option(3, { mins_until_lead_offer: 7 });
    const byTime = team({ order_method: 'Time' });
    expect(timesOf(plan(open, byTime, [anna, ben, late], begun, at('12:01')))).toEqual([[13, '12:08']]);
  });
});

describe('the alerts of an offer', () => {
  it('are one for each enabled channel, the assignment first', () => {
    const [planned] = plan(
      open,
      team(),
      [option(1, { assign_automatically: true, has_call_alert: true, has_email_alert: true })],
      [],
      noon,
    );
    expect(planned && alertsOf(planned)).toEqual(['Assign', 'Email', 'Phone']);
  });
});

/** Most values are small, so that equal ranks, equal waits and members without an option are common. */
const members = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    user_id: fc.integer({ min: 1, max: 12 }),
    rank: fc.integer({ min: -2, max: 4 }),
    mins_until_lead_offer: fc.integer({ min: 0, max: 20 }),
    assign_automatically: fc.boolean(),
    has_email_alert: fc.boolean(),
    has_text_alert: fc.boolean(),
    has_call_alert: fc.boolean(),
  }),
  { maxLength: 8, selector: ({ user_id }) => user_id },
);
const situation = fc.record({
  team: fc.record({
    order_method: fc.constantFrom('Rank' as const, 'Time' as const),
    mins_until_next_alert: fc.integer({ min: 0, max: 15 }),
    accepted_user_ids: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 4 }),
  }),
  options: members.map((options) => options.map((one, index) => ({ ...one, id: one.id * 10 + index }))),
  made: fc.uniqueArray(
    fc.record({
      user_id: fc.integer({ min: 1, max: 12 }),
      notify_at: fc.integer({ min: -60, max: 60 }).map((mins) => new Date(noon.getTime() + mins * 60_000)),
    }),
    { maxLength: 5, selector: ({ user_id }) => user_id },
  ),
  claimed_by_user_id: fc.option(fc.constant(7), { freq: 20 }),
});
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

/**
 * The rule, implemented independently and for each member separately: the members who come before, those of them with
 * an offer, and the latest of the resulting waits.
 */
function expectedTimes({ team, options, made, claimed_by_user_id }: Situation): Map<number, number> {
  const minutes = (moment: Date) => (moment.getTime() - noon.getTime()) / 60_000;
  const offered = (user: number) => made.find(({ user_id }) => user_id === user);
  const position = ({ rank, id }: MemberOption) => rank * 1_000 + id;
  const takesPart = ({ user_id }: MemberOption) => team.accepted_user_ids.includes(user_id);
  const isBetween = (one: MemberOption, from: number, to: number) =>
    takesPart(one) && position(one) > from && position(one) < to;
  const newOnes = (from: number, to: number) =>
    options.filter((one) => isBetween(one, from, to) && !offered(one.user_id)).length;

  const expected = new Map<number, number>();
  for (const member of options) {
    if (claimed_by_user_id !== null || !takesPart(member) || offered(member.user_id)) continue;
    const here = position(member);
    const step = team.mins_until_next_alert;
    const waits = options
      .filter((one) => isBetween(one, Number.NEGATIVE_INFINITY, here))
      .flatMap((one) => {
        const offer = offered(one.user_id);
        return offer ? [minutes(offer.notify_at) + step * (1 + newOnes(position(one), here))] : [];
      });
    const byRank = Math.max(step * newOnes(Number.NEGATIVE_INFINITY, here), ...waits);
    expected.set(member.user_id, team.order_method === 'Rank' ? byRank : member.mins_until_lead_offer);
  }
  return expected;
}

const planOf = ({ team, options, made, claimed_by_user_id }: Situation) =>
  plan({ claimed_by_user_id }, team, options, made, noon);

describe('every plan', () => {
  it('follows the rule for each member', () => {
    fc.assert(
      fc.property(situation, (one) => {
        const found = planOf(one).map(({ user_id, notify_at }) => [
          user_id,
          (notify_at.getTime() - noon.getTime()) / 60_000,
        ]);
        expect(new Map(found as [number, number][])).toEqual(expectedTimes(one));
        expect(found).toHaveLength(expectedTimes(one).size);
      }),
      { numRuns: 40_000 },
    );
  });

  it('does not depend on the order of the options', () => {
    fc.assert(
      fc.property(situation, (one) => {
        expect(planOf({ ...one, options: one.options.toReversed() })).toEqual(planOf(one));
      }),
      { numRuns: 20_000 },
    );
  });

  it('leaves nothing to plan afterwards', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 0, max: 100_000 }), (one, mins) => {
        const made = [...one.made, ...planOf(one)];
        const later = new Date(noon.getTime() + mins * 60_000);
        expect(plan(one, one.team, one.options, made, later)).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
  });

  it('has turns in the order of members, none in the past, each as its option says', () => {
    fc.assert(
      fc.property(situation, (one) => {
        const planned = planOf(one);
        const times = planned.map(({ notify_at }) => notify_at.getTime());
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((time) => time >= noon.getTime())).toBe(true);
        for (const offer of planned) {
          const option = one.options.find(({ user_id }) => user_id === offer.user_id);
          expect(offer).toMatchObject({
            rank: option?.rank,
            assign_automatically: option?.assign_automatically,
            has_email_alert: option?.has_email_alert,
            has_text_alert: option?.has_text_alert,
            has_call_alert: option?.has_call_alert,
          });
        }
      }),
      { numRuns: 20_000 },
    );
  });
});
