import type { User } from '@crm/auth';
import { contactsService } from '@crm/contacts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, scheduleOf, wholeDrip } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';
import { contacts } from '../peers.ts';
import { leaseBulkEnrolments, postponeBulkEnrolment } from './bulk-enrolment.queries.ts';
import { carryOutDue } from './carry-out.ts';
import { clearCrashPoints, setCrashPointOnce } from './crash-point.ts';
import { enrolPortion } from './enrol-portion.ts';
import { startWhenBulkOperationCreated } from './start-when-bulk-operation-created.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => {
  service.schedulingBecomes('available');
  clearCrashPoints();
});
const { campaignOf, contactOf, setUp } = dripsIn(service);
const { everythingOf } = scheduleOf(service);

type Request = Parameters<ReturnType<typeof service.contacts.as>['bulkOperations']['create']>[0];

const carryOut = () => carryOutDue(service.workerContext, new AbortController().signal);
const operations = (user: User) => service.contacts.as(user).bulkOperations;
const errorsOf = async (user: User, bulk_operation_id: number) =>
  (await service.contacts.as(user).bulkOperationErrors.find({ bulk_operation_id, $limit: 1000 })).data;
const enrolledIn = async (user: User, campaign_id: number) =>
  (await service.as(user).campaignContacts.find({ campaign_id, $limit: 1000, $sort: { id: 1 } })).data;
/** Simulates the wait after which another instance takes over. */
const later = () => service.rows('update bulk_enrolments set due_at = now()');

/** Requests an operation and delivers its event. */
async function ask(user: User, request: Omit<Request, 'action'>) {
  const operation = await operations(user).create({ action: 'enrol', ...request });
  await deliver();
  return operation;
}

/** Delivers the last event that contacts published. */
async function deliver(): Promise<void> {
  const event = (await service.contacts.published()).at(-1);
  const { em } = service.database.orm;
  await em.fork().transactional((fork) => startWhenBulkOperationCreated({ em: fork, event } as never));
}

async function contactsOf(user: User, count: number): Promise<number[]> {
  const ids = [];
  for (let index = 0; index < count; index++) ids.push(await contactOf(user));
  return ids;
}

describe('a bulk operation that adds contacts to a campaign', () => {
  it('adds and schedules contacts as single requests would, and says why others were left out', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const hidden = await contactOf(await service.person());
    const other = await contactOf(anna);
    const contact_ids = [contact_id, hidden, other, 999_999];
    const { id, status } = await ask(anna, { campaign_id, contact_ids });
    expect(status).toBe('Waiting');
    await carryOut();
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 4, failed: 2 });
    const errors = await errorsOf(anna, id);
    expect(errors.map((error) => error.id)).toEqual([hidden, 999_999]);
    for (const error of errors) {
      const single = service.as(anna).campaignContacts.create({ campaign_id, contact_id: error.id });
      await expect(single).rejects.toMatchObject({ message: error.message, errors: error.errors });
    }
    const added = await enrolledIn(anna, campaign_id);
    expect(added.map((one) => one.contact_id)).toEqual([contact_id, other]);
    for (const one of added) {
      expect(one).toMatchObject({ user_id: anna.id, scheduled_at: expect.any(String) });
      expect(await everythingOf(one.id)).toEqual(wholeDrip);
    }
    const [created, asked] = await Promise.all([
      service.rows(
        "select user_id, request_id from audit_events where action = 'campaignContacts.create' and user_id = $1",
        [anna.id],
      ),
      service.contacts.rows(
        "select user_id, request_id from audit_events where action = 'bulkOperations.create' and user_id = $1",
        [anna.id],
      ),
    ]);
    expect(created).toEqual([asked[0], asked[0]]);
    expect((await service.contacts.published()).at(-1)).toMatchObject({
      type: 'crm.contacts.bulk-operation.ended',
    });
    expect(await service.rows('select from bulk_enrolments')).toEqual([]);
  });

  it('leaves out all contacts if the user does not or no longer sees the campaign', async () => {
    const { anna, contact_id } = await setUp();
    const { campaign_id } = await campaignOf(await service.person());
    const { id } = await ask(anna, { campaign_id, contact_ids: [contact_id] });
    await carryOut();
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', failed: 1 });
    expect(await errorsOf(anna, id)).toMatchObject([
      { id: contact_id, errors: { campaign_id: `'${campaign_id}' does not exist` } },
    ]);
  });

  it('adds every contact once, even if its process is killed while others continue', async () => {
    const anna = await service.person();
    const { campaign_id } = await campaignOf(anna);
    const contact_ids = await contactsOf(anna, 30);
    const { id } = await ask(anna, { campaign_id, contact_ids });
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    setCrashPointOnce('enrolled', () => {
      resolve();
      return new Promise(() => undefined);
    });
    void carryOut();
    await killed;
    expect(await enrolledIn(anna, campaign_id)).toHaveLength(25);
    expect(await operations(anna).get({ id })).toMatchObject({ processed: 0 });
    await later();
    await Promise.all([carryOut(), later().then(carryOut)]);
    await later();
    await carryOut();
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 30, failed: 0 });
    expect((await enrolledIn(anna, campaign_id)).map((one) => one.contact_id)).toEqual(contact_ids);
    // Simulates an instance whose report arrives late.
    const { bulkOperations } = contacts.asSystem({ peers: service.workerContext.peers, requestId: 'late' });
    await bulkOperations.settlePortion({ id, processed: 25, count: 5, problems: [] });
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 30 });
  });

  it('waits for earlier operations of its user, and adds nothing more once it is canceled', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const contact_ids = [contact_id];
    const earlier = await operations(anna).create({ action: 'tag', tags: 'x', contact_ids });
    const first = await ask(anna, { campaign_id, contact_ids });
    await carryOut();
    expect(await operations(anna).get({ id: first.id })).toMatchObject({ status: 'Waiting' });
    await operations(anna).patch({ id: earlier.id, status: 'Canceled' });
    const second = await ask(anna, { campaign_id, contact_ids });
    await operations(anna).patch({ id: second.id, status: 'Canceled' });
    await later();
    await carryOut();
    expect(await operations(anna).get({ id: first.id })).toMatchObject({ status: 'Done', failed: 0 });
    expect(await operations(anna).get({ id: second.id })).toMatchObject({ status: 'Canceled', processed: 0 });
    expect(await enrolledIn(anna, campaign_id)).toHaveLength(1);
    const third = await ask(anna, { campaign_id, contact_ids: await contactsOf(anna, 30) });
    setCrashPointOnce('enrolled', async () => {
      await operations(anna).patch({ id: third.id, status: 'Canceled' });
    });
    await carryOut();
    const canceled = { status: 'Canceled', processed: 25, failed: 0 };
    expect(await operations(anna).get({ id: third.id })).toMatchObject(canceled);
    expect(await enrolledIn(anna, campaign_id)).toHaveLength(26);
  });

  it('ends when the account of its user is disabled', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id } = await ask(anna, { campaign_id, contact_ids: [contact_id] });
    await service.identity.asSystem.users.disable({ user: anna.id });
    await carryOut();
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Failed', processed: 0 });
    expect((await service.contacts.published()).at(-1)).toMatchObject({
      type: 'crm.contacts.bulk-operation.ended',
    });
    expect(await enrolledIn(anna, campaign_id)).toEqual([]);
  });

  it('adds nobody after a restoration, because messages may have been sent, and says so for each contact', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const contact_ids = [contact_id, ...(await contactsOf(anna, 30))];
    const { id } = await ask(anna, { campaign_id, contact_ids });
    setCrashPointOnce('enrolled', async () => {
      await service.contacts.rows(`update bulk_operations set due_at = now() where id = ${id}`);
      throw new Error('The process was killed.');
    });
    await carryOut();
    const other = await operations(anna).create({ action: 'tag', tags: 'x', contact_ids });
    const waiting = await ask(await service.person(), { campaign_id, contact_ids });
    for (let times = 0; times < 2; times++)
      for (const statement of contactsService.store.onRestore ?? [])
        expect(new Set(await service.contacts.rows(statement))).toEqual(
          new Set(times === 0 ? [{ id }, { id: waiting.id }] : []),
        );
    await later();
    await carryOut();
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 31, failed: 31 });
    expect((await errorsOf(anna, id)).map((error) => error.id).toSorted((a, b) => a - b)).toEqual(
      contact_ids,
    );
    expect(await operations(anna).get({ id: other.id })).toMatchObject({ status: 'Waiting', failed: 0 });
    expect(await enrolledIn(anna, campaign_id)).toHaveLength(25);
    expect(await service.rows('select from bulk_enrolments')).toEqual([]);
    const ended = (await service.contacts.published()).filter(({ type }) => type.endsWith('operation.ended'));
    const endedIds = ended.slice(-2).map(({ data }) => data.bulk_operation_id);
    expect(new Set(endedIds)).toEqual(new Set([id, waiting.id]));
  });

  it('does not retry a contact forever when adding it fails', async () => {
    const { anna, campaign_id, contact_id: broken } = await setUp();
    const sound = await contactOf(anna);
    await service.rows(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    );
    await service.rows(
      `create trigger broken before insert on campaign_contacts for each row
       when (new.contact_id = ${broken}) execute function fail()`,
    );
    const { id } = await ask(anna, { campaign_id, contact_ids: [broken, sound] });
    for (let attempt = 0; attempt < 7; attempt++) {
      await carryOut();
      await later();
    }
    await service.rows('drop trigger broken on campaign_contacts');
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 2, failed: 1 });
    expect((await enrolledIn(anna, campaign_id)).map((one) => one.contact_id)).toEqual([sound]);
  });

  it('adds every contact once if several instances process the same portion at once', async () => {
    const anna = await service.person();
    const { campaign_id } = await campaignOf(anna);
    const contact_ids = await contactsOf(anna, 10);
    const { id } = await ask(anna, { campaign_id, contact_ids });
    const { bulkOperations } = contacts.asSystem({ peers: service.workerContext.peers, requestId: 'r' });
    const { portion } = await bulkOperations.nextPortion({ id, size: 25 });
    if (!portion) expect.fail('There is nothing to do.');
    const enrolled = await Promise.all(
      [1, 2, 3].map(() => enrolPortion(service.workerContext, id, portion, { isGivenUp: false })),
    );
    expect(enrolled.map((one) => one?.added.length).sort()).toEqual([0, 0, 10]);
    expect(enrolled.map((one) => one?.count)).toEqual([10, 10, 10]);
    expect((await enrolledIn(anna, campaign_id)).map((one) => one.contact_id)).toEqual(contact_ids);
    await carryOut();
  });

  it('ignores operations of other kinds', async () => {
    const { anna, contact_id } = await setUp();
    const { id } = await operations(anna).create({ action: 'tag', tags: 'x', contact_ids: [contact_id] });
    await deliver();
    expect(await service.rows('select from bulk_enrolments where bulk_operation_id = $1', [id])).toEqual([]);
  });

  it('does not count the failure of a portion against the next one, which another instance has begun', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id } = await ask(anna, { campaign_id, contact_ids: [contact_id, await contactOf(anna)] });
    const attempts = async () =>
      (await service.rows('select attempts from bulk_enrolments where bulk_operation_id = $1', [id]))[0];
    const { query } = service.database;
    const due = (await leaseBulkEnrolments(query, 100)).find((one) => one.id === id);
    if (!due) throw new Error('The operation is not due.');
    await postponeBulkEnrolment(query, due, { attempts: 4, seconds: 0 });
    expect(await attempts()).toEqual({ attempts: 4 });
    await service.rows(
      'update bulk_enrolments set processed = 1, attempts = 0 where bulk_operation_id = $1',
      [id],
    );
    await postponeBulkEnrolment(query, due, { attempts: 5, seconds: 0 });
    expect(await attempts()).toEqual({ attempts: 0 });
  });
});
