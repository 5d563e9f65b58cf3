/** The facts about a lead that the plan needs. */
interface PlannedLead {
  readonly claimed_by_user_id?: number | null | undefined;
}

/** The facts about the lead's team that the plan needs. */
export interface RolloutTeam {
  readonly order_method: 'Rank' | 'Time';
  readonly mins_until_next_alert: number;
  readonly accepted_user_ids: readonly number[];
}

/** How one member of the team is offered leads. */
export interface MemberOption {
  readonly id: number;
  readonly user_id: number;
  readonly rank: number;
  readonly mins_until_lead_offer: number;
  readonly assign_automatically: boolean;
  readonly has_email_alert: boolean;
  readonly has_text_alert: boolean;
  readonly has_call_alert: boolean;
}

export interface OfferMade {
  readonly user_id: number;
  readonly notify_at: Date;
}

export type PlannedOffer = OfferMade & Omit<MemberOption, 'id' | 'mins_until_lead_offer'>;

/**
 * The offers of a lead that still have to be made, in the order of the members' turns.
 *
 * By `Rank`, each member's turn is one step after the latest turn of the members before, and never in the past. Members
 * who have an offer keep its time. New members wait for those before them, but not for turns that have long passed. By
 * `Time`, each member waits for their own number of minutes. Only accepted members have a turn, and a claimed lead is
 * not offered.
 */
export function plan(
  lead: PlannedLead,
  team: RolloutTeam,
  options: readonly MemberOption[],
  made: readonly OfferMade[],
  now: Date,
): PlannedOffer[] {
  if (lead.claimed_by_user_id != null) return [];
  const accepted = new Set(team.accepted_user_ids);
  const members = options.filter(({ user_id }) => accepted.has(user_id));
  return team.order_method === 'Rank'
    ? planByRank(members, made, team.mins_until_next_alert, now)
    : planByTime(members, made, now);
}

function planByRank(members: readonly MemberOption[], made: readonly OfferMade[], step: number, now: Date) {
  const times = timesOf(made);
  const planned: PlannedOffer[] = [];
  let latest: Date | undefined;
  for (const member of members.toSorted(byRank)) {
    let turn = times.get(member.user_id);
    if (!turn) {
      turn = latest ? later(now, after(latest, step)) : now;
      planned.push(offerTo(member, turn));
    }
    latest = latest ? later(latest, turn) : turn;
  }
  return planned;
}

function planByTime(members: readonly MemberOption[], made: readonly OfferMade[], now: Date) {
  const times = timesOf(made);
  return members
    .filter(({ user_id }) => !times.has(user_id))
    .toSorted(byWait)
    .map((member) => offerTo(member, after(now, member.mins_until_lead_offer)));
}

const timesOf = (made: readonly OfferMade[]) =>
  new Map(made.map(({ user_id, notify_at }) => [user_id, notify_at]));

const byRank = (a: MemberOption, b: MemberOption) => a.rank - b.rank || a.id - b.id;

const byWait = (a: MemberOption, b: MemberOption) =>
  a.mins_until_lead_offer - b.mins_until_lead_offer || a.id - b.id;

const later = (a: Date, b: Date) => (a < b ? b : a);

/** The last moment with a four-digit year, which long waits could exceed. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moment this many minutes later, at most `lastMoment`. */
export const after = (moment: Date, minutes: number): Date =>
  new Date(Math.min(moment.getTime() + minutes * 60_000, lastMoment));

function offerTo(member: MemberOption, notify_at: Date): PlannedOffer {
  const { user_id, rank, assign_automatically, has_email_alert, has_text_alert, has_call_alert } = member;
  return { user_id, rank, notify_at, assign_automatically, has_email_alert, has_text_alert, has_call_alert };
}

export const alertKinds = ['Assign', 'Email', 'Text', 'Phone'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The alerts of an offer when it is due. The assignment comes first, so that the others can mention it. */
export function alertsOf(offer: Omit<PlannedOffer, 'rank'>): AlertKind[] {
  const wanted: Record<AlertKind, boolean> = {
    Assign: offer.assign_automatically,
    Email: offer.has_email_alert,
    Text: offer.has_text_alert,
    Phone: offer.has_call_alert,
  };
  return alertKinds.filter((kind) => wanted[kind]);
}
