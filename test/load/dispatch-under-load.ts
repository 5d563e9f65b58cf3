import { setTimeout as sleep } from 'node:timers/promises';
import type { Ground } from './ground.ts';
import { someInstances } from './instances.ts';

const members = 20;

/** Leads that are offered to everybody at once. Each offer alerts on one channel, in turn. */
async function offerAll(ground: Ground, people: readonly number[], offers: number) {
  const team = 1;
  await ground.addOptions(people, true);
  await ground.rows(
    `with leads as (
       insert into leads (creator_user_id, contact_id, distribution_target, team_selection_method, team_id, status,
         claimed_via, street_address, created_at)
       select $1::int, n, 'Team Rollout', 'Specific Team', $2::int, 'Offered', 'None', n || ' Main Street', now()
       from generate_series(1, $4::int) n returning id
     ), offers as (
       insert into lead_offers (lead_id, user_id, team_id, creator_user_id, rank, notify_at, assign_automatically,
         has_call_alert, has_text_alert, has_email_alert, created_at)
       select leads.id, member, $2::int, $1::int, 0, now(), false, true, true, true, now()
       from leads, unnest($3::int[]) member returning id
     )
     insert into lead_alerts (offer_id, kind, due_at, next_attempt_at)
     select id, (array['Email', 'Text', 'Email', 'Text', 'Phone'])[1 + id % 5], now(), now() from offers`,
    [people[0], team, people, Math.ceil(offers / people.length)],
  );
}

/** Spreads the pending alerts over some seconds from now. */
const spread = (ground: Ground, seconds: number) =>
  ground.rows(
    `update lead_alerts set due_at = moment, next_attempt_at = moment
     from (select id, now() + (row_number() over (order by id)) * ($1::float8 / count(*) over ())
             * interval '1 second' as moment
           from lead_alerts where state = 'Waiting') turn
     where turn.id = lead_alerts.id`,
    [seconds],
  );

async function remaining({ rows }: Ground) {
  const [row] = await rows(
    `select count(*) filter (where state = 'Waiting')::int as waiting,
       count(*) filter (where state = 'Sending')::int as sending from lead_alerts`,
  );
  return row as { waiting: number; sending: number };
}

export interface DispatchReport {
  readonly offers: number;
  readonly kills: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** The delay in seconds of alerts that were sent at the first attempt. */
  readonly late: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Keys that no provider received, and keys that one accepted more than once. */
  readonly missing: number;
  readonly twice: number;
  readonly arrivals: number;
  readonly failed: number;
}

interface Load {
  readonly offers: number;
  readonly kill: boolean;
  /** The seconds over which the offers are due; all at once by default. */
  readonly overSeconds?: number;
  /** Ends the leases of killed instances, for a test that cannot wait for them to expire. */
  readonly hurry?: boolean;
}

/** Sends many offers with two instances, and reports what the providers received. */
export async function dispatchUnderLoad(
  ground: Ground,
  people: readonly number[],
  { offers, kill, overSeconds, hurry = false }: Load,
): Promise<DispatchReport> {
  await using cleanup = new AsyncDisposableStack();
  await ground.rows('truncate lead_alerts, lead_offers, leads cascade');
  const instances = await someInstances(() => ground.spawn('leads-routing'), cleanup);
  const began = performance.now();
  await offerAll(ground, people, offers);
  if (overSeconds !== undefined) await spread(ground, overSeconds);
  if (kill) await instances.killOneEvery(1_000, async () => (await remaining(ground)).waiting > 0);
  await settled(ground, hurry);
  return report(ground, instances.kills(), (performance.now() - began) / 1000);
}

export const makePeople = (ground: Ground) => ground.people(members);

async function settled(ground: Ground, hurry: boolean): Promise<void> {
  let quiet = 0;
  for (let before = await remaining(ground); before.waiting + before.sending > 0; ) {
    await sleep(250);
    const now = await remaining(ground);
    quiet = now.waiting === 0 && now.sending === before.sending ? quiet + 1 : 0;
    // No running instance keeps a lease this long.
    if (hurry && quiet > 12) {
      await ground.rows("update lead_alerts set lease_until = now() where state = 'Sending'");
      quiet = 0;
    }
    before = now;
  }
}

async function report(ground: Ground, kills: number, seconds: number): Promise<DispatchReport> {
  const alerts = await ground.rows(
    `select key, state, attempts, extract(epoch from handed_over_at - due_at)::float8 as late from lead_alerts`,
  );
  const { mail, carrier } = ground.carriers;
  const received = new Map([...mail.received(), ...carrier.received()].map((one) => [one.key, one]));
  const mails = Map.groupBy(mail.messageIds(), (id) => id.replace(/^<|@.*$/g, ''));
  const arrived = alerts.map(({ key }) => received.get(key));
  const acceptedTimes = ({ key }: { key: string }) =>
    mails.get(key)?.length ?? received.get(key)?.accepted ?? 0;
  const late = alerts
    .filter(({ attempts, late }) => attempts === 1 && late !== null)
    .map((alert) => Number(alert.late))
    .sort((a, b) => a - b);
  const [first] = await ground.rows(
    `select extract(epoch from max(handed_over_at) - min(due_at))::float8 as seconds from lead_alerts where attempts = 1`,
  );
  const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? 0;
  return {
    offers: alerts.length,
    kills,
    seconds,
    perSecond: late.length / Number(first?.seconds ?? 1),
    late: { p50: at(0.5), p99: at(0.99), max: at(1) },
    missing: arrived.filter((one) => !one?.accepted).length,
    twice: alerts.filter((alert) => acceptedTimes({ key: String(alert.key) }) > 1).length,
    arrivals: arrived.reduce((sum, one) => sum + (one?.arrivals ?? 0), 0),
    failed: alerts.filter(({ state }) => state !== 'Done').length,
  };
}
