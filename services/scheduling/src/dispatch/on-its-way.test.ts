import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { itIsOnlyTheLastOnesWhoTookIt } from '@crm/dispatch/testing';
import { holdAt, untilWaiting } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { communicationDispatcher } from './communication-dispatcher.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, later, due, eventsOf } = under;

afterEach(() => {
  carrier.behave(undefined);
  clearCrashPoints();
});

/** Marks a communication as done with PATCH, and returns the result. */
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
  it('has a whole lease from the start of sending, however long it was prepared', async () => {
    const { id } = await due('Text Contact');
    setCrashPoint('communication.leased', async () => {
      await service.rows(
        "update communications set lease_until = now() + interval '1 second' where dispatch_state = 'Sending'",
      );
    });
    const left: unknown[] = [];
    setCrashPoint('communication.begun', async () => {
      const [one] = await service.rows(
        'select extract(epoch from lease_until - now())::int as seconds from communications where id = $1',
        [id],
      );
      left.push(one?.seconds);
    });
    await turn();
    expect(left).toEqual([expect.toSatisfy((seconds: number) => seconds > 45)]);
  });

  itIsOnlyTheLastOnesWhoTookIt({
    due: async () => {
      const { now, received } = await due('Text Contact');
      const state = async () => {
        const { dispatch_state, attempts } = await now();
        return { state: dispatch_state, attempts };
      };
      return { now: state, received };
    },
    turn,
    later,
    hold: (point) => holdAt(setCrashPoint, `communication.${point}`),
    sent: 'Sent',
  });

  it('does not keep a lease that ends later than any lease can, and is not sent meanwhile', async () => {
    const { id, now, received } = await due('Text Contact');
    await service.rows(
      `update communications set dispatch_state = 'Sending', attempts = 1, lease_until = now() + interval '5 hours'
       where id = $1`,
      [id],
    );
    await turn();
    const soon = "select from communications where id = $1 and lease_until <= now() + interval '60 seconds'";
    expect(await service.rows(soon, [id])).toHaveLength(1);
    expect(await now()).toMatchObject({ dispatch_state: 'Sending', attempts: 1 });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
    expect(received()).toEqual({ arrivals: 1, accepted: 1 });
  });

  it('is not begun an hour and a lease late, however early it was leased', async () => {
    const { id, now, received } = await due('Text Contact');
    setCrashPoint('communication.leased', async () => {
      await service.rows(
        "update communications set send_at = now() - interval '61 minutes 1 second' where id = $1",
        [id],
      );
    });
    await turn();
    expect(received().arrivals).toBe(0);
    clearCrashPoints();
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 1 });
    expect(received().arrivals).toBe(0);
  });

  it('is sent and settled before a worker that is being stopped has stopped', async () => {
    const { now, received } = await due('Text Contact');
    const begun = holdAt(setCrashPoint, 'communication.begun');
    const worker = await communicationDispatcher(under.settings)(under.workerContext);
    await begun.reached(0);
    const stopping = worker.stop();
    // As many statements as the worker may still make before it only waits for running sends.
    for (let n = 0; n < 5; n++) await now();
    begun.release(0);
    await stopping;
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
    expect(received()).toEqual({ arrivals: 1, accepted: 1 });
  });

  it('waits when another service does not respond, but not for long', async () => {
    const { id, now } = await due('Text Contact');
    await service.rows('update communications set attempts = 20 where id = $1', [id]);
    await service.contacts.rows('alter table opt_outs rename to opt_outs_away');
    await turn();
    const soon =
      "select from communications where id = $1 and next_attempt_at < now() + interval '31 seconds'";
    expect(await service.rows(soon, [id])).toHaveLength(1);
    await service.contacts.rows('alter table opt_outs_away rename to opt_outs');
    expect(await now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Another service did not respond.',
    });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('is not sent when somebody has marked it as done in the meantime', async () => {
    const { id, now, received } = await due('Text Contact');
    setCrashPoint('communication.leased', async () => {
      expect(await complete(id)).toBe(true);
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('cannot be marked as done once it was begun, and ends as sent', async () => {
    const { id, now, received } = await due('Text Contact');
    setCrashPoint('communication.begun', async () => {
      expect(await complete(id)).toBe(false);
    });
    await turn();
    expect(await complete(id)).toBe(false);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', completing_user_id: null });
    expect(received().arrivals).toBe(1);
  });

  it('waits for somebody who marks it as done at the same time, and then is not sent', async () => {
    const { id, now, received } = await due('Text Contact');
    const client = await service.database.pool.connect();
    setCrashPoint('communication.leased', async () => {
      await client.query('begin');
      await client.query(
        `update communications set is_active = false, completed_at = now(), completing_user_id = 7,
           dispatch_state = 'Dropped', lease_until = null where id = ${id}`,
      );
    });
    const sending = turn();
    try {
      await untilWaiting(service.rows, [sending]);
    } finally {
      await client.query('commit');
      client.release();
    }
    await sending;
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
  });

  it.each(['campaign contact', 'campaign'])(
    'is not tried again when the %s was stopped while the provider failed',
    async (what) => {
      const { id, now, received } = await due('Text Contact');
      const { campaign_contact_id, campaign_id } = await now();
      const stopped = what === 'campaign' ? { campaign_id } : { campaign_contact_id };
      carrier.behave(() => ({ answer: 429 }));
      setCrashPoint('communication.begun', async () => {
        await service.asSystem.enrolments.stop(stopped as { readonly campaign_id: number });
      });
      await turn();
      clearCrashPoints();
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

  it('is not sent when it was removed meanwhile', async () => {
    const { id, received } = await due('Text Contact');
    setCrashPoint('communication.leased', async () => {
      await service.rows('delete from communications where id = $1', [id]);
    });
    await turn();
    expect(received().arrivals).toBe(0);
  });
});
