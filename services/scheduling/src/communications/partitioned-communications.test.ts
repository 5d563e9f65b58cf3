import { contactRemoved } from '@crm/events';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { endPartition, keepFor } from '../../test/partitions.ts';
import { action, next, plan } from '../../test/plans.ts';
import { sentEmailOf } from '../unsubscribe/unsubscribe.queries.ts';

const under = await dispatchUnderTest({ maxPerContact: { texts: 2, emails: 2 } });
afterAll(under.close);
const { service, due, row, turn, communication } = under;

/** Ages all communications by a number of days. */
const age = (days: number) =>
  service.rows(
    `update communications set modified_at = modified_at - make_interval(days => $1), send_at = send_at - make_interval(days => $1),
       begun_at = begun_at - make_interval(days => $1)`,
    [days],
  );

describe('communications in several partitions', () => {
  it('are sent once each, within the limits across all partitions', async () => {
    const first = await due('Email Contact');
    const others = { contact_id: first.to.id, send_from_user_id: first.from.id };
    await turn();
    await endPartition(service);
    const ids = [first.id];
    for (let message = 0; message < 2; message++) {
      ids.push(await communication(others));
      await turn();
    }
    const states = await Promise.all(ids.map(async (id) => (await row(id)).dispatch_state));
    expect(states).toEqual(['Sent', 'Sent', 'Scheduled']);
    for (const id of ids.slice(0, 2)) expect(under.received((await row(id)).key).accepted).toBe(1);
    await endPartition(service);
    const { total } = await service
      .as(someone({ id: first.from.id }))
      .communications.find({ contact_id: first.to.id });
    expect(total).toBe(3);
    expect(await sentEmailOf(service.database.query, String(first.key))).toMatchObject({
      contact_id: first.to.id,
    });
    await service.deliver(contactRemoved, {
      contact_id: first.to.id,
      owner_user_id: first.from.id,
      assigned_user_id: null,
    });
    expect(await service.rows('select from communications where id = any($1)', [ids])).toEqual([]);
  });

  it('are created once for a campaign contact, in whichever partition', async () => {
    const wanted = plan(someone(), [action(), action()]);
    const campaign_contact_id = next();
    const enrol = () => service.asSystem.enrolments.enrol({ campaign_contact_id, plan: wanted });
    const created = await enrol();
    await endPartition(service);
    expect(await Promise.all([enrol(), enrol(), enrol()])).toEqual([created, created, created]);
    const rows = 'select from communications where campaign_contact_id = $1';
    expect(await service.rows(rows, [campaign_contact_id])).toHaveLength(2);
  });

  it('are dropped when all of a partition are old and settled, and are not created again', async () => {
    const wanted = plan(someone(), [action()]);
    const campaign_contact_id = next();
    const enrol = () => service.asSystem.enrolments.enrol({ campaign_contact_id, plan: wanted });
    const created = await enrol();
    await endPartition(service);
    const kept = await due('Email Contact');
    const left = async () => {
      await keepFor(service, 60);
      return service.rows('select from communications where campaign_contact_id = $1', [campaign_contact_id]);
    };
    await age(80);
    expect(await left(), 'waits').toHaveLength(1);
    const set = (values: string) =>
      service.rows(`update communications set ${values} where campaign_contact_id = $1`, [
        campaign_contact_id,
      ]);
    await set("dispatch_state = 'Unknown', begun_at = now() - interval '80 days'");
    expect(await left(), 'is asked about').toHaveLength(1);
    await set("next_attempt_at = now() + interval '10 years', send_at = now() - interval '59 days'");
    expect(await left(), 'was to be sent since').toHaveLength(1);
    await set("send_at = now() - interval '61 days'");
    await service.rows(
      "update communications set dispatch_state = 'Dropped' where id < $1 and dispatch_state = 'Scheduled'",
      [kept.id],
    );
    expect(await left()).toEqual([]);
    expect(await kept.now()).toMatchObject({ id: kept.id });
    expect(await enrol()).toEqual(created);
    expect(await left()).toEqual([]);
  });
});
