import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { openDispatch } from './dispatch.ts';
import { setFault } from './fault.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, later, due, eventsOf } = under;

afterEach(() => {
  carrier.behave(undefined);
  for (const point of ['communication.leased', 'communication.begun', 'communication.sent'] as const)
    setFault(point);
});

/** What PATCH does with a communication that is not being sent. */
const complete = async (id: number) => {
  const done = await service.rows(
    `update communications set is_active = false, completed_at = now(), completing_user_id = 7,
       dispatch_state = 'Dropped', lease_until = null
     where id = $1 and not (dispatch_state = 'Sending' and begun_at is not null) and is_active returning id`,
    [id],
  );
  return done.length > 0;
};

describe('a communication that is being sent', () => {
  it('has a whole lease from the final check on, however long that took', async () => {
    const { id } = await due('Text Contact');
    setFault('communication.leased', async () => {
      await service.rows(
        "update communications set lease_until = now() + interval '1 second' where dispatch_state = 'Sending'",
      );
    });
    const left: unknown[] = [];
    setFault('communication.begun', async () => {
      const [one] = await service.rows(
        'select extract(epoch from lease_until - now())::int as seconds from communications where id = $1',
        [id],
      );
      left.push(one?.seconds);
    });
    await turn();
    expect(left).toEqual([expect.toSatisfy((seconds: number) => seconds > 45)]);
  });

  it('is not changed by an instance that lost the lease', async () => {
    const { now, received } = await due('Text Contact');
    let isFirst = true;
    setFault('communication.leased', async () => {
      if (!isFirst) return;
      isFirst = false;
      await later();
      await turn();
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
    expect(received().arrivals).toBe(1);
  });

  it('is not settled by an instance that was too slow, after another has leased it', async () => {
    const { now, received } = await due('Text Contact');
    setFault('communication.sent', async () => {
      setFault('communication.sent');
      await later();
      const another = openDispatch(under.settings, under.workerContext);
      await another.take({ 'Text Contact': 10 });
      await another.close();
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sending', attempts: 2 });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 3 });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  it('waits when another service does not answer', async () => {
    const { now } = await due('Text Contact');
    await service.contacts.rows('alter table opt_outs rename to opt_outs_unavailable');
    await turn();
    await service.contacts.rows('alter table opt_outs_unavailable rename to opt_outs');
    expect(await now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Another service did not answer.',
    });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('is not sent when somebody has marked it as done in the meantime', async () => {
    const { id, now, received } = await due('Text Contact');
    setFault('communication.leased', async () => {
      expect(await complete(id)).toBe(true);
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('cannot be marked as done after the final check, and is sent', async () => {
    const { id, now, received } = await due('Text Contact');
    setFault('communication.begun', async () => {
      expect(await complete(id)).toBe(false);
    });
    await turn();
    expect(await complete(id)).toBe(false);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', completing_user_id: null });
    expect(received().arrivals).toBe(1);
  });

  it('waits for a user who marks it as done at that moment, and then is not sent', async () => {
    const { id, now, received } = await due('Text Contact');
    const client = await service.database.pool.connect();
    let sending: Promise<unknown> | undefined;
    try {
      setFault('communication.leased', async () => {
        await client.query('begin');
        await client.query(
          `update communications set is_active = false, completed_at = now(), completing_user_id = 7,
             dispatch_state = 'Dropped', lease_until = null where id = ${id}`,
        );
      });
      sending = turn();
      await waitedFor();
      await client.query('commit');
      await sending;
    } finally {
      client.release();
    }
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
  });

  it.each(['campaign contact', 'campaign'])(
    'is not retried when the %s was stopped while the provider failed',
    async (what) => {
      const { id, now, received } = await due('Text Contact');
      const { campaign_contact_id, campaign_id } = await now();
      const stopped = what === 'campaign' ? { campaign_id } : { campaign_contact_id };
      carrier.behave(() => ({ answer: 503 }));
      setFault('communication.begun', async () => {
        await service.asSystem.enrolments.stop(stopped as { readonly campaign_id: number });
      });
      await turn();
      setFault('communication.begun');
      carrier.behave(undefined);
      expect(await now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 1 });
      await later();
      await turn();
      expect(await now()).toMatchObject({
        dispatch_state: 'Dropped',
        dispatch_reason: 'The campaign was stopped for this contact.',
        is_active: false,
      });
      expect(received().accepted).toBe(0);
      expect(await eventsOf(id)).toEqual(['stopped']);
    },
  );

  it('is not sent when it was removed in the meantime', async () => {
    const { id, received } = await due('Text Contact');
    setFault('communication.leased', async () => {
      await service.rows('delete from communications where id = $1', [id]);
    });
    await turn();
    expect(received().arrivals).toBe(0);
  });

  /** Returns when a statement waits for a lock. */
  async function waitedFor() {
    for (;;) {
      const [one] = await service.rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (one) return;
    }
  }
});
