import { linkedPeers } from '@crm/service';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, wholeDrip } from '../../test/drip.ts';
import { campaignsUnderTest, type Way } from '../../test/harness.ts';
import { enrolWaiting } from './enrol-waiting.ts';
import { type EnrolmentFault, setFault } from './fault.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => {
  service.wayToSchedulingBecomes('open');
  for (const point of ['added', 'taken', 'scheduled', 'removed', 'campaign removed'] as const)
    setFault(point);
});

const { campaignOf, contactOf, everythingOf, letTimePass, scheduledFor } = dripsIn(service);

async function ground() {
  const anna = await service.person();
  const { campaign_id } = await campaignOf(anna);
  const contact_id = await contactOf(anna);
  const contacts = service.as(anna).campaignContacts;
  return {
    anna,
    campaign_id,
    contact_id,
    put: () => contacts.create({ campaign_id, contact_id }),
    read: (id: number) => contacts.get({ campaign_id, id }),
    idsIn: async () => (await contacts.find({ campaign_id })).data.map(({ id }) => id),
  };
}

/** The next that comes to the point stops there for ever, as if its process had been killed. Returns when it has. */
function crashAt(point: EnrolmentFault): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setFault(point, () => {
    setFault(point);
    resolve();
    return new Promise(() => undefined);
  });
  return promise;
}

/** Another instance, some time later. */
async function later() {
  await letTimePass();
  await enrolWaiting(service.workerContext);
}

const disturbances: readonly Way[] = ['closed', 'silent', 'faulty', 'answers lost'];

describe('a contact that is put into a campaign while scheduling does not answer', () => {
  it.each(disturbances)('(%s) is answered all the same, and scheduled once by itself', async (way) => {
    const { anna, contact_id, put, read } = await ground();
    service.wayToSchedulingBecomes(way);
    const added = await put();
    expect(added.scheduled_at).toBeNull();
    expect(await read(added.id)).toEqual(added);
    await later();
    expect(await read(added.id)).toEqual(added);
    service.wayToSchedulingBecomes('open');
    await later();
    const scheduled = await read(added.id);
    expect(scheduled).toEqual({ ...added, scheduled_at: expect.any(String) });
    expect(await everythingOf(added.id)).toEqual(wholeDrip);
    const before = await scheduledFor(anna, contact_id, added.id);
    await later();
    expect(await read(added.id)).toEqual(scheduled);
    expect(await scheduledFor(anna, contact_id, added.id)).toEqual(before);
  });

  it('waits longer after each failure, and not so long when scheduling is only away', async () => {
    const waits = async (way: Way) => {
      const { put } = await ground();
      service.wayToSchedulingBecomes(way);
      const { id } = await put();
      const seconds = [];
      for (let attempt = 0; attempt < 10; attempt++) {
        await later();
        const [row] = await service.rows(
          `select extract(epoch from next_attempt_at - now())::float8 as seconds from campaign_contacts
           where id = $1`,
          [id],
        );
        seconds.push(Math.ceil(Number(row?.seconds)));
      }
      await service.rows('delete from campaign_contacts where id = $1', [id]);
      return seconds;
    };
    expect(await waits('closed')).toEqual([1, 2, 4, 4, 4, 4, 4, 4, 4, 4]);
    expect(await waits('faulty')).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
  });

  it('is left alone until it is due', async () => {
    const { put, read } = await ground();
    service.wayToSchedulingBecomes('closed');
    const { id } = await put();
    service.wayToSchedulingBecomes('open');
    await enrolWaiting(service.workerContext);
    expect((await read(id)).scheduled_at).toBeNull();
    await later();
    expect((await read(id)).scheduled_at).not.toBeNull();
  });

  it('is asked for by one of many instances, and with all others that wait', async () => {
    const { put, read } = await ground();
    service.wayToSchedulingBecomes('closed');
    const added = await Promise.all(Array.from({ length: 50 }, put));
    service.wayToSchedulingBecomes('open');
    const asked: unknown[] = [];
    const { callers } = service.workerContext.peers;
    const counting = linkedPeers({
      ...callers,
      scheduling: async (call) => {
        asked.push((call.input as { campaign_contact_id: number }).campaign_contact_id);
        return (callers.scheduling as NonNullable<typeof callers.scheduling>)(call);
      },
    });
    await letTimePass();
    await Promise.all(
      Array.from({ length: 4 }, () => enrolWaiting({ ...service.workerContext, peers: counting })),
    );
    const ids = added.map(({ id }) => id);
    expect(asked.filter((id) => ids.includes(Number(id))).toSorted()).toEqual(ids.toSorted());
    for (const { id } of added) {
      expect(await everythingOf(id)).toEqual(wholeDrip);
      expect((await read(id)).scheduled_at).not.toBeNull();
    }
  });
});

describe('a process that is killed', () => {
  it.each(['added', 'scheduled'] as const)(
    'at the point «%s» of putting a contact into a campaign leaves nothing half done, nor twice',
    async (point) => {
      const { put, idsIn, read } = await ground();
      const crashed = crashAt(point);
      void put();
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

  it.each(['taken', 'scheduled'] as const)(
    'at the point «%s» of completing it leaves it to others when its lease is over',
    async (point) => {
      const { put, read } = await ground();
      service.wayToSchedulingBecomes('closed');
      const { id } = await put();
      service.wayToSchedulingBecomes('open');
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

  it('while it completes one that is taken out leaves nothing behind', async () => {
    const { anna, campaign_id, put } = await ground();
    service.wayToSchedulingBecomes('closed');
    const { id } = await put();
    service.wayToSchedulingBecomes('open');
    await letTimePass();
    let goOn = () => {};
    const taken = new Promise<void>((resolve) =>
      setFault('taken', () => {
        resolve();
        return new Promise((go) => {
          goOn = go;
        });
      }),
    );
    const working = enrolWaiting(service.workerContext);
    await taken;
    await service.as(anna).campaignContacts.remove({ campaign_id, id });
    goOn();
    await working;
    expect(await everythingOf(id)).toEqual([]);
  });

  it.each([
    ['removed', 'campaign-contact'],
    ['campaign removed', 'campaign'],
  ] as const)('at the point «%s» has left the event that ends what was scheduled', async (point, noun) => {
    const { anna, campaign_id, idsIn, put } = await ground();
    const { id } = await put();
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

  it.each(disturbances)('or scheduling that is %s, keeps nobody from taking a contact out', async (way) => {
    const { anna, campaign_id, idsIn, put } = await ground();
    const { id } = await put();
    service.wayToSchedulingBecomes(way);
    expect(await service.as(anna).campaignContacts.remove({ campaign_id, id })).toMatchObject({ id });
    expect(await idsIn()).toEqual([]);
    expect(await service.as(anna).campaigns.remove({ id: campaign_id })).toMatchObject({ id: campaign_id });
  });
});
