import type { User } from '@crm/auth';
import { withheldReason } from '@crm/data';
import { nameOf } from '@crm/delivery';
import { dispatcher, type Plan, type Queue } from '@crm/dispatch';
import { byIds, type PeerContext } from '@crm/service';
import { noteUnreachable } from '../alerts/note-unreachable.ts';
import { leadSourceOwners } from '../lead-sources/lead-source.policy.ts';
import { actorsById } from '../names.ts';
import { campaignsTemplates, identity } from '../peers.ts';
import type { Settings } from '../settings.ts';
import {
  DueRouteAlert,
  dueRouteAlertSelect,
  routeAlertCheck,
  routeAlertTable,
  unnamed,
} from './route-alert.queries.ts';
import { routeAlertWords } from './route-alert-words.ts';

/** The creators of the routes with their rights, and the campaigns that they may use now. */
async function loadCreators(peers: PeerContext, alerts: readonly DueRouteAlert[]) {
  const ids = alerts.map(({ user_id }) => user_id);
  const [users, actors] = await Promise.all([
    byIds(ids, (some) => identity.asSystem(peers).users.byIds({ ids: some })),
    actorsById(peers, ids),
  ]);
  return { users, actors, campaigns: await campaignsOf(peers, actors, alerts) };
}

type Creators = Awaited<ReturnType<typeof loadCreators>>;

/** The campaigns in these alerts that their users may still use, by user. */
async function campaignsOf(
  peers: PeerContext,
  actors: ReadonlyMap<number, User>,
  alerts: readonly DueRouteAlert[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const lost = alerts.filter(({ problem }) => problem === 'Campaign not available');
  const viewers = [...Map.groupBy(lost, ({ user_id }) => user_id)].flatMap(([id, own]) => {
    const user = actors.get(id);
    return user ? [{ user, campaign_ids: [...new Set(own.map(({ reference_id }) => reference_id))] }] : [];
  });
  if (viewers.length === 0) return new Map();
  const seen = await campaignsTemplates.asSystem(peers).campaigns.seenBy({ viewers });
  return new Map(seen.map(({ user_id, campaign_ids }) => [user_id, new Set(campaign_ids)]));
}

/**
 * The e-mail about a lost reference, or the reason not to send it. Only an alert about a real loss may be `Failed`; the
 * others are `Dropped`, because a later event makes dropped alerts due again.
 */
function routeAlertPlan(alert: DueRouteAlert, creators: Creators): Plan {
  const user = creators.users.get(alert.user_id);
  const actor = creators.actors.get(alert.user_id);
  if (!user) return { state: 'Dropped', reason: 'The user does not exist.' };
  if (!user.is_active || !actor) return { state: 'Dropped', reason: "The user's account is disabled." };
  if (alert.routes.length === 0) return { state: 'Dropped', reason: unnamed };
  if (mayStillUse(actor, alert, creators))
    return { state: 'Dropped', reason: 'The user may still use what the lead routes refer to.' };
  if (alert.is_withheld) return { state: 'Failed', reason: withheldReason };
  if (user.is_email_unreachable) return { state: 'Failed', reason: 'E-mails to the user bounce.' };
  const words = routeAlertWords({ ...alert, member: nameOf(user, 'there') });
  return { send: { email: { to: { name: nameOf(user, ''), address: user.email }, ...words } } };
}

/** A removed record cannot be used; a shared one may still, or again, be shared. */
function mayStillUse(
  user: User,
  { problem, reference_id, source_owner_user_id }: DueRouteAlert,
  { campaigns }: Creators,
): boolean {
  if (problem === 'Campaign not available') return campaigns.get(user.id)?.has(reference_id) ?? false;
  return source_owner_user_id !== null && leadSourceOwners(user).includes(source_owner_user_id);
}

export const routeAlertQueue: Queue<DueRouteAlert, Creators> = {
  what: 'alerts of lead routes',
  name: 'lead-route-alert',
  statusPath: '/callbacks/alert-statuses/',
  slots: { Email: 8 },
  laneOf: ({ channel }) => channel,
  table: routeAlertTable,
  row: DueRouteAlert,
  select: dueRouteAlertSelect,
  check: routeAlertCheck,
  load: loadCreators,
  plan: routeAlertPlan,
  recordBlock: noteUnreachable,
  // An expired alert would end as failed and block later alerts, without any check that the reference is lost.
  isNeverTooLate: true,
};

/** Alerts the creators of lead routes about lost references. Any number of instances may run. */
export const routeAlertDispatcher = (settings: Settings) => dispatcher(routeAlertQueue, settings.delivery);
