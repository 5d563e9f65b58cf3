import { linkedPeers } from '@crm/service';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, scheduleOf, wholeDrip } from '../../test/drip.ts';
import { type Behaviour, campaignsUnderTest } from '../../test/harness.ts';
import {
  clearCrashPoints,
  type EnrolmentCrashPoint,
  setCrashPoint,
  setCrashPointOnce,
} from './crash-point.ts';
import { enrolWaiting } from './enrol-waiting.ts';
import { leaseWaiting, markScheduled, postpone } from './enrolment.queries.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => {
  service.schedulingBecomes('available');
  clearCrashPoints();
});

const { campaignOf, contactOf } = dripsIn(service);
const { everythingOf, letTimePass, scheduledFor } = scheduleOf(service);

async function setUp() {
  const anna = await service.person();
  const { campaign_id } = await campaignOf(anna);
  const contact_id = await contactOf(anna);
  const contacts = service.as(anna).campaignContacts;
  return {
    anna,
    campaign_id,
    contact_id,
    add: () => contacts.create({ campaign_id, contact_id }),
    read: (id: number) => contacts.get({ campaign_id, id }),
    idsIn: async () => (await contacts.find({ campaign_id })).data.map(({ id }) => id),
  };
}

/** Blocks the next caller at this point forever, as if its process had been killed. Resolves once the caller is blocked. */
function crashAt(point: EnrolmentCrashPoint): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setCrashPointOnce(point, () => {
    resolve();
    return new Promise(() => undefined);
  });
  return promise;
}

/** Runs another instance after some time has passed. */
async function later() {
  await letTimePass();
  await enrolWaiting(service.workerContext);
}

const failures: readonly Behaviour[] = ['unavailable', 'silent', 'faulty', 'losing responses'];

describe('a contact that is added to a campaign while scheduling does not respond', () => {
  it.each(failures)('(%s) is added anyway, and scheduled once later', async (behaviour) => {
    const { anna, contact_id, add, read } = await setUp();
    service.schedulingBecomes(behaviour);
    const added = await add();
    expect(added.scheduled_at).toBeNull();
    expect(await read(added.id)).toEqual(added);
    await later();
    expect(await read(added.id)).toEqual(added);
    service.schedulingBecomes('available');
    await later();
    const scheduled = await read(added.id);
    expect(scheduled).toEqual({ ...added, scheduled_at: expect.any(String) });
    expect(await everythingOf(added.id)).toEqual(wholeDrip);
    const before = await scheduledFor(anna, contact_id, added.id);
    await later();
    expect(await read(added.id)).toEqual(scheduled);
    expect(await scheduledFor(anna, contact_id, added.id)).toEqual(before);
  });

  it('is scheduled at once even if an instance whose clock was ahead postponed it for hours', async () => {
    const { add, read } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await add();
    service.schedulingBecomes('available');
    await service.rows(
      "update campaign_contacts set next_attempt_at = now() + interval '5 hours' where id = $1",
      [id],
    );
    await enrolWaiting(service.workerContext);
    expect(await read(id)).toMatchObject({ scheduled_at: expect.any(String) });
  });

  it('waits longer after each failure, but only briefly if scheduling is merely unavailable', async () => {
    const expectWaits = async (behaviour: Behaviour, waits: readonly number[]) => {
      const { add } = await setUp();
      service.schedulingBecomes(behaviour);
      const { id } = await add();
      for (const seconds of waits) {
        const [before] = await service.rows('select now()::text');
        await later();
        const [row] = await service.rows(
          `select next_attempt_at - make_interval(secs => $2) between $3 and now() as is_so from campaign_contacts
           where id = $1`,
          [id, seconds, before?.now],
        );
        expect(row, `${behaviour}, ${seconds} s`).toEqual({ is_so: true });
      }
      await service.rows('delete from campaign_contacts where id = $1', [id]);
    };
    await expectWaits('unavailable', [1, 2, 4, 4, 4, 4, 4, 4, 4, 4]);
    await expectWaits('faulty', [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
  });

  it('is postponed only by the worker that leased it last', async () => {
    const { add } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await add();
    const { query } = service.workerContext.database;
    const lease = async () => {
      await letTimePass();
      return (await leaseWaiting(query, 1_000)).find((one) => one.id === id);
    };
    const [slow, next] = [await lease(), await lease()];
    const due = async () =>
      (await service.rows('select next_attempt_at from campaign_contacts where id = $1', [id]))[0];
    const before = await due();
    if (slow) await postpone(query, slow, 300);
    expect(await due()).toEqual(before);
    if (next) await postpone(query, next, 300);
    expect(await due()).not.toEqual(before);
    await service.rows('delete from campaign_contacts where id = $1', [id]);
  });

  it('keeps the time at which it was first scheduled', async () => {
    const { add } = await setUp();
    const { id } = await add();
    const { query } = service.workerContext.database;
    const first = await markScheduled(query, id, new Date());
    expect(await markScheduled(query, id, new Date('2040-01-01T00:00:00Z'))).toBe(first);
  });

  it('is scheduled with the request that added it as the cause', async () => {
    const { add } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await add();
    service.schedulingBecomes('available');
    await later();
    const [added] = await service.rows(
      `select request_id from audit_events where record_type = 'campaign-contact' and record_id = $1`,
      [id],
    );
    const scheduled = await service.scheduling.rows(
      `select distinct cause ->> 'request_id' as request_id from communications where campaign_contact_id = $1
       union select cause ->> 'request_id' from tasks where campaign_contact_id = $1`,
      [id],
    );
    expect(scheduled).toEqual([added]);
  });

  it('is not retried before it is due', async () => {
    const { add, read } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await add();
    service.schedulingBecomes('available');
    await service.rows(
      "update campaign_contacts set next_attempt_at = now() + interval '1 minute' where id = $1",
      [id],
    );
    await enrolWaiting(service.workerContext);
    expect((await read(id)).scheduled_at).toBeNull();
    await later();
    expect((await read(id)).scheduled_at).not.toBeNull();
  });

  it('is scheduled by one of many instances, together with all other waiting contacts', async () => {
    const { add, read } = await setUp();
    service.schedulingBecomes('unavailable');
    const added = await Promise.all(Array.from({ length: 8 }, add));
    service.schedulingBecomes('available');
    const enrolled: unknown[] = [];
    const { services } = service.workerContext.peers;
    const counting = linkedPeers(
      {
        ...services,
        scheduling: async (call) => {
          enrolled.push((call.input as { campaign_contact_id: number }).campaign_contact_id);
          return (services.scheduling as NonNullable<typeof services.scheduling>)(call);
        },
      },
      'campaigns-templates',
    );
    await letTimePass();
    await Promise.all(
      Array.from({ length: 4 }, () => enrolWaiting({ ...service.workerContext, peers: counting })),
    );
    const ids = added.map(({ id }) => id);
    expect(enrolled.filter((id) => ids.includes(Number(id))).toSorted()).toEqual(ids.toSorted());
    for (const { id } of added) {
      expect(await everythingOf(id)).toEqual(wholeDrip);
      expect((await read(id)).scheduled_at).not.toBeNull();
    }
  });
});

describe('an interrupted process', () => {
  it.each(['added', 'scheduled'] as const)(
    'at the point "%s" of adding a contact to a campaign leaves nothing unfinished or done twice',
    async (point) => {
      const { add, idsIn, read } = await setUp();
      const crashed = crashAt(point);
      void add();
      await crashed;
      const [id = 0, ...others] = await idsIn();
      expect(others).toEqual([]);
      expect((await read(id)).scheduled_at).toBeNull();
      expect(await everythingOf(id)).toEqual(point === 'added' ? [] : wholeDrip);
      await later();
      expect((await read(id)).scheduled_at).not.toBeNull();
      expect(await everythingOf(id)).toEqual(wholeDrip);
    },
  );

  it.each(['leased', 'scheduled'] as const)(
    'at the point "%s" of a retry leaves the contact to other instances when the lease expires',
    async (point) => {
      const { add, read } = await setUp();
      service.schedulingBecomes('unavailable');
      const { id } = await add();
      service.schedulingBecomes('available');
      await letTimePass();
      const crashed = crashAt(point);
      void enrolWaiting(service.workerContext);
      await crashed;
      await enrolWaiting(service.workerContext);
      expect((await read(id)).scheduled_at).toBeNull();
      await later();
      expect((await read(id)).scheduled_at).not.toBeNull();
      expect(await everythingOf(id)).toEqual(wholeDrip);
    },
  );

  it('leaves nothing behind when the contact is removed during a retry', async () => {
    const { anna, campaign_id, add } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await add();
    service.schedulingBecomes('available');
    await letTimePass();
    let resume = () => {};
    const leased = new Promise<void>((resolve) =>
      setCrashPoint('leased', () => {
        resolve();
        return new Promise((resolveFault) => {
          resume = resolveFault;
        });
      }),
    );
    const working = enrolWaiting(service.workerContext);
    await leased;
    await service.as(anna).campaignContacts.remove({ campaign_id, id });
    resume();
    await working;
    expect(await everythingOf(id)).toEqual([]);
  });

  it.each([
    ['removed', 'campaign-contact'],
    ['campaign removed', 'campaign'],
  ] as const)('at the point "%s" has stored the event that stops what was scheduled', async (point, noun) => {
    const { anna, campaign_id, idsIn, add } = await setUp();
    const { id } = await add();
    const crashed = crashAt(point);
    const api = service.as(anna);
    void (point === 'removed'
      ? api.campaignContacts.remove({ campaign_id, id })
      : api.campaigns.remove({ id: campaign_id }));
    await crashed;
    if (point === 'removed') expect(await idsIn()).toEqual([]);
    const last = (await service.published()).at(-1);
    expect(last).toMatchObject({
      type: `crm.campaigns-templates.${noun}.removed`,
      data: { campaign_id, ...(point === 'removed' && { campaign_contact_id: id }) },
    });
  });

  it.each(failures)(
    'does not prevent a removal, and neither does scheduling when it is %s',
    async (behaviour) => {
      const { anna, campaign_id, idsIn, add } = await setUp();
      const { id } = await add();
      service.schedulingBecomes(behaviour);
      expect(await service.as(anna).campaignContacts.remove({ campaign_id, id })).toMatchObject({ id });
      expect(await idsIn()).toEqual([]);
      expect(await service.as(anna).campaigns.remove({ id: campaign_id })).toMatchObject({ id: campaign_id });
    },
  );
});
