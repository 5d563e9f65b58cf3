import type { User } from '@crm/auth';
import { startCarriers } from '@crm/delivery/testing';
import { openDispatch } from '@crm/dispatch';
import { sendDue } from '@crm/testing';
import { alertQueue } from '../src/alerts/dispatcher.ts';
import type { AlertKind } from '../src/rollout/plan.ts';
import type { Settings } from '../src/settings.ts';
import { type LeadsUnderTest, leadsUnderTest } from './harness.ts';
import { rolloutsOf } from './rollout.ts';

export const publicUrl = 'https://crm.example.com';

const plenty: Readonly<Record<AlertKind, number>> = { Assign: 100, Email: 100, Text: 100, Phone: 100 };

/** The service with its own carriers. Alerts are sent only when a test calls for it. */
export async function dispatchUnderTest() {
  const { delivery, ...local } = await startCarriers(publicUrl);
  const settings: Settings = { claimKey: 'a-key-of-claim-links-for-tests-only', delivery };
  const service = await leadsUnderTest({ settings });
  const { workerContext } = service;

  /** One instance, which sends everything due each time it is called. */
  const instance = (honoursKeys = true) => {
    const carrier = { ...delivery.carrier, honoursKeys };
    const dispatch = openDispatch(alertQueue(settings), { ...delivery, carrier }, workerContext);
    return () => sendDue(dispatch, plenty);
  };

  return {
    ...local,
    ...alertsIn(service),
    settings,
    service,
    workerContext,
    instance,
    turn: instance(),
    async close() {
      await service.close();
      await local.close();
    },
  };
}

function alertsIn(service: LeadsUnderTest) {
  const rollouts = rolloutsOf(service);
  let phones = 0;
  return {
    rollouts,
    /** A user with a phone number that identity and the carrier know. */
    async reachable(facts: { first_name?: string; last_name?: string } = {}) {
      phones += 1;
      const user = await service.person(facts);
      const phone = `+1604555${String(1000 + phones)}`;
      await service.identity.asSystem.users.change({ user: user.id, phone: phone.slice(2) });
      return { user, phone };
    },
    /** Offers a new lead to the members of a new team, to all at once unless their options say otherwise. */
    async offer(members: readonly (readonly [User, object])[]) {
      const anna = await service.person();
      const all = members.map(([user, option]) => [user, { mins_until_lead_offer: 0, ...option }] as const);
      const team_id = await rollouts.team(anna, all, { order_method: 'Time' });
      const lead_id = await rollouts.lead(anna, { team_id });
      const offers = await (await service.asNow(anna)).offers.find({ lead_id });
      if (offers.total === 0) await (await service.asNow(anna)).offers.send({ lead_id });
      return { anna, team_id, lead_id };
    },
    alerts: (lead_id: number) => alertsOf(service, lead_id),
    /** Lets time pass: waiting alerts become due again, and leases of dead workers expire. */
    async later() {
      await service.rows(
        "update lead_alerts set next_attempt_at = now() where state = 'Waiting' and due_at <= now()",
      );
      await service.rows(
        "update lead_alerts set lease_until = now() - interval '1 second' where state = 'Sending'",
      );
    },
  };
}

async function alertsOf(service: LeadsUnderTest, lead_id: number) {
  const rows = await service.rows(
    `select a.*, o.user_id from lead_alerts a join lead_offers o on o.id = a.offer_id
     where o.lead_id = $1 order by a.id`,
    [lead_id],
  );
  return rows.map((row) => ({
    user_id: Number(row.user_id),
    kind: String(row.kind),
    key: String(row.key),
    state: String(row.state),
    reason: row.reason === null ? null : String(row.reason),
    attempts: Number(row.attempts),
  }));
}
