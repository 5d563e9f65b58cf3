import { after, type OfferMade, type RolloutTeam } from './plan.ts';

type Pace = Pick<RolloutTeam, 'order_method' | 'mins_until_next_alert'>;

/** The last member has at least this time to claim a lead. */
const lastTurnMinutes = 30;

/** When the last turn ends: after one step in a team that orders by rank, but after half an hour at the earliest. */
export function runsOutAt(team: Pace, offers: readonly OfferMade[]): Date {
  const last = Math.max(...offers.map(({ notify_at }) => notify_at.getTime()));
  const step = team.order_method === 'Rank' ? team.mins_until_next_alert : 0;
  return after(new Date(last), Math.max(step, lastTurnMinutes));
}
