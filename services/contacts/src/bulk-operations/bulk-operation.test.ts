import type { User } from '@crm/auth';
import { killWaiting, openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type BulkRequest, bulkOperating } from '../../test/bulk-operating.ts';

const contacts = await bulkOperating();
afterAll(contacts.close);
const { person, rows, carryOut, ask, done, add, team } = contacts;

const errorsOf = async (user: User, bulk_operation_id: number) =>
  (await contacts.as(user).bulkOperationErrors.find({ bulk_operation_id, $limit: 1000 })).data;

describe('a bulk operation', () => {
  it('changes what a list with the same conditions has when it is asked for, as single requests would', async () => {
    const anna = await person();
    const names = Array.from({ length: 30 }, (_, index) => `Old ${index}`);
    const ids = await add(anna, names, { company: 'Ng Ltd' });
    await add(anna, ['Other']);
    const field = await contacts.as(anna).customFields.create({ name: 'Pets', data_type: 'Number' });
    await contacts
      .as(anna)
      .contacts.patch({ id: ids[0] ?? 0, custom_fields: [{ id: field.id, value: '7' }] });
    const changes = { company: 'New Ltd', custom_fields: [{ id: field.id, value: '8' }] };
    const asked = await ask(anna, {
      action: 'patch',
      filter: { company: 'Ng Ltd', $search: 'old' },
      changes,
    });
    expect(asked).toMatchObject({ status: 'Waiting', total: 30, processed: 0, parameters: { changes } });
    expect(asked.examples.map(({ first_name }) => first_name)).toEqual(names.slice(0, 10));
    await add(anna, ['Old, but later'], { company: 'Ng Ltd' });
    const before = await contacts.published();
    await carryOut();
    const operation = await contacts.as(anna).bulkOperations.get({ id: asked.id });
    expect(operation).toMatchObject({ status: 'Done', processed: 30, failed: 0 });
    const { data, total } = await contacts.as(anna).contacts.find({ company: 'New Ltd', $limit: 30 });
    expect([total, data.every(({ custom_fields }) => custom_fields[0]?.value === '8')]).toEqual([30, true]);
    const events = (await contacts.published()).slice(before.length);
    const changed = events.filter(({ type }) => type === 'crm.contacts.contact.changed');
    expect(changed.map(({ subject }) => subject)).toEqual(ids.map((id) => `contact/${id}`));
    expect(new Set(changed.map(({ actor }) => actor))).toEqual(new Set([`user/${anna.id}`]));
    const audited = await rows(
      "select user_id, token_id from audit_events where action = 'contacts.patch' and request_id = $1",
      [changed[0]?.requestid],
    );
    expect(audited.length).toBe(30);
    expect(audited[0]).toEqual({ user_id: anna.id, token_id: anna.access?.token_id });
    expect(events.at(-1)).toMatchObject({ type: 'crm.contacts.bulk-operation.ended' });
    const custom = { [`custom_fields.${field.id}`]: { $gte: 8 } };
    expect((await done(anna, { action: 'tag', tags: 'x', filter: custom })).total).toBe(30);
  });

  it('leaves what may not be done as it is, and says why for each contact', async () => {
    const { anna, ben } = await team();
    const [own = 0, given = 0] = await add(anna, ['Own', 'Given'], { assigned_user_id: ben.id });
    const [hidden = 0] = await add(await person(), ['Hidden']);
    const contact_ids = [own, hidden, given, 999_999];
    await contacts.as(anna).contacts.patch({ id: own, assigned_user_id: 0 });
    const tagged = await done(ben, { action: 'tag', tags: 'Seen', contact_ids });
    expect(tagged).toMatchObject({ status: 'Done', processed: 4, failed: 3, total: 4 });
    expect(tagged.examples.map(({ id }) => id)).toEqual([given]);
    const missing = (id: number) => ({ id, message: `No record found for id '${id}'`, errors: {} });
    expect(await errorsOf(ben, tagged.id)).toMatchObject([own, hidden, 999_999].map(missing));
    await expect(errorsOf(anna, tagged.id)).rejects.toMatchObject({ name: 'NotFound' });
    const removed = await done(ben, { action: 'remove', contact_ids: [given] });
    expect(await errorsOf(ben, removed.id)).toMatchObject([
      { id: given, message: 'Only the owner of a contact may remove it.' },
    ]);
    const long = { action: 'tag', tags: 'x'.repeat(508), contact_ids: [given, own] } satisfies BulkRequest;
    const longer = await done(anna, long);
    expect(await errorsOf(anna, longer.id)).toMatchObject([
      { id: given, errors: { tags: 'must have at most 508 characters' } },
    ]);
    const foreign = await contacts.as(ben).customFields.create({ name: 'Pets', data_type: 'Text' });
    const changes = { company: 'Half', custom_fields: [{ id: foreign.id, value: 'Cat' }] };
    const half = await done(anna, { action: 'patch', changes, contact_ids: [given] });
    expect((await errorsOf(anna, half.id))[0]?.errors).toHaveProperty(['custom_fields.0.id']);
    expect((await contacts.as(anna).contacts.get({ id: given })).company).toBeNull();
    expect((await contacts.as(anna).contacts.get({ id: given })).tags).toBe('Seen');
    expect((await contacts.as(anna).contacts.get({ id: own })).tags).toBe('x'.repeat(508));
  });

  it('is done with the rights of its user at that moment', async () => {
    const { anna, ben, leave } = await team();
    const contact_ids = await add(anna, ['A', 'B']);
    const { id } = await ask(anna, { action: 'assign', assigned_user_id: ben.id, contact_ids });
    await leave();
    await carryOut();
    expect(await contacts.as(anna).bulkOperations.get({ id })).toMatchObject({ status: 'Done', failed: 2 });
    expect((await errorsOf(anna, id))[0]?.errors).toHaveProperty('assigned_user_id');
    const last = await ask(anna, { action: 'remove', filter: {} });
    await contacts.identity.asSystem.users.disable({ user: anna.id });
    await carryOut();
    const ended = { status: 'Failed', processed: 0, total: 2 };
    expect(await contacts.as(anna).bulkOperations.get({ id: last.id })).toMatchObject(ended);
    expect((await contacts.as(anna).contacts.find({})).total).toBe(2);
  });

  it('of a broker who acts for a user names both, and ends with the delegation', async () => {
    const [kim, lee] = [await person({ is_broker: true }), await person()];
    const [delegation] = await contacts.identity.rows(
      `insert into delegations (broker_user_id, user_id, state, created_at, modified_at)
       values ($1, $2, 'active', now(), now()) returning id`,
      [kim.id, lee.id],
    );
    const acting = { ...lee, act: { id: kim.id, delegation_id: Number(delegation?.id) } };
    await add(lee, ['A']);
    await done(acting, { action: 'tag', tags: 'X', filter: {} });
    const [, event] = (await contacts.published())
      .filter(({ type }) => type === 'crm.contacts.tag.created')
      .slice(-2);
    expect(event).toMatchObject({ actor: `user/${lee.id}`, act: `user/${kim.id}` });
    const { id } = await ask(acting, { action: 'remove', filter: {} });
    await contacts.identity.rows("update delegations set state = 'ended'");
    await carryOut();
    expect(await contacts.as(lee).bulkOperations.get({ id })).toMatchObject({ status: 'Failed' });
    expect((await contacts.as(lee).contacts.find({})).total).toBe(1);
  });

  it('continues where it was when its process is killed, and does nothing twice', async () => {
    const anna = await person();
    const ids = await add(
      anna,
      Array.from({ length: 60 }, (_, index) => `${index}`),
    );
    const { id } = await ask(anna, { action: 'tag', tags: 'Once', contact_ids: ids });
    await using held = await openTransaction(
      contacts.database,
      'select from contacts where id = $1 for update',
      [ids[30]],
    );
    const first = carryOut();
    await untilWaiting(rows, [first]);
    const stored = () => rows('select processed from bulk_operations where id = $1', [id]);
    expect(await stored()).toEqual([{ processed: 25 }]);
    await killWaiting(rows);
    await first;
    await held.rollback();
    expect(await stored()).toEqual([{ processed: 25 }]);
    await rows('update bulk_operations set due_at = now(), attempts = 0 where id = $1', [id]);
    await Promise.all([carryOut(), carryOut()]);
    expect(await contacts.as(anna).bulkOperations.get({ id })).toMatchObject({ processed: 60, failed: 0 });
    const versions = await rows('select distinct version from contacts where id = any($1)', [ids]);
    expect(versions).toEqual([{ version: 2 }]);
  });

  it('waits for the earlier ones of its user only, and can be canceled', async () => {
    const [anna, ben] = [await person(), await person()];
    for (const user of [anna, ben])
      await add(
        user,
        Array.from({ length: 30 }, () => 'X'),
      );
    const first = await ask(anna, { action: 'tag', tags: 'First', filter: {} });
    const second = await ask(anna, { action: 'untag', tags: 'First', filter: {} });
    const canceled = await ask(anna, { action: 'remove', filter: {} });
    const other = await ask(ben, { action: 'tag', tags: 'Other', filter: {} });
    const api = contacts.as(anna).bulkOperations;
    expect(await api.patch({ id: canceled.id, status: 'Canceled' })).toMatchObject({ status: 'Canceled' });
    expect(await api.patch({ id: canceled.id, status: 'Canceled' })).toMatchObject({ status: 'Canceled' });
    await carryOut();
    expect(await api.patch({ id: first.id, status: 'Canceled' })).toMatchObject({ status: 'Done' });
    const order = await rows('select id from bulk_operations where id = any($1) order by ended_at', [
      [first.id, second.id, other.id],
    ]);
    expect(order.map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
    expect((await contacts.as(anna).contacts.find({ tags: '' })).total).toBe(30);
    const hidden = { name: 'NotFound' };
    await expect(contacts.as(ben).bulkOperations.get({ id: first.id })).rejects.toMatchObject(hidden);
    await expect(errorsOf(ben, first.id)).rejects.toMatchObject(hidden);
    await expect(
      contacts.as(ben).bulkOperations.patch({ id: first.id, status: 'Canceled' }),
    ).rejects.toMatchObject(hidden);
    expect((await contacts.as(ben).bulkOperations.find({})).data.map(({ id }) => id)).toEqual([other.id]);
    const before = (await contacts.published()).length;
    expect(await ask(anna, { action: 'remove', filter: { first_name: 'Y' } })).toMatchObject({
      status: 'Done',
      total: 0,
    });
    const events = (await contacts.published()).slice(before);
    expect(events.map(({ type, aggregateversion }) => [type, aggregateversion])).toEqual([
      ['crm.contacts.bulk-operation.created', 1],
      ['crm.contacts.bulk-operation.ended', 2],
    ]);
  });

  it('does not wait forever for one that ends in a fault', async () => {
    const anna = await person();
    const [broken = 0, sound = 0] = await add(anna, ['Broken', 'Sound']);
    await rows(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    );
    await rows(
      `create trigger broken before update on contacts for each row when (old.id = ${broken}) execute function fail()`,
    );
    const { id } = await ask(anna, { action: 'tag', tags: 'X', contact_ids: [broken, sound] });
    for (let attempt = 0; attempt < 6; attempt++) {
      await carryOut();
      await rows('update bulk_operations set due_at = now() where id = $1', [id]);
    }
    await rows('drop trigger broken on contacts');
    expect(await contacts.as(anna).bulkOperations.get({ id })).toMatchObject({ status: 'Done', failed: 1 });
    expect((await contacts.as(anna).contacts.get({ id: sound })).tags).toBe('X');
  });

  it.each([
    [{ action: 'tag', tags: 'x' }, { filter: /is required unless contact_ids/ }],
    [{ action: 'tag', tags: 'x', filter: {}, contact_ids: [1] }, { filter: /only one of them/ }],
    [{ action: 'tag', filter: {} }, { tags: /is required for the action tag/ }],
    [{ action: 'enrol', filter: {} }, { campaign_id: /is required for the action enrol/ }],
    [{ action: 'remove', tags: 'x', filter: {} }, { tags: /does not belong to the action remove/ }],
    [{ action: 'patch', changes: {}, filter: {} }, { changes: /at least one field/ }],
    [{ action: 'patch', changes: { hotness_id: 999_999 }, filter: {} }, { hotness_id: /does not exist/ }],
    [{ action: 'list', static_list_id: 999_999, filter: {} }, { static_list_id: /does not exist/ }],
    [{ action: 'assign', assigned_user_id: 999_999, filter: {} }, { assigned_user_id: /not a user of your/ }],
    [
      { action: 'tag', tags: 'x', filter: { nmae: 'x' } },
      { 'filter.nmae': /Did you mean "name"|Unknown field/ },
    ],
    [{ action: 'tag', tags: 'x', filter: { $limit: 5 } }, { 'filter.$limit': /is not a condition/ }],
    [{ action: 'tag', tags: 'x', filter: { $search: 'a' } }, { 'filter.$search': /2 to 100/ }],
    [
      { action: 'tag', tags: 'x', filter: { 'custom_fields.999999': 'x' } },
      { 'filter.custom_fields.999999': /does not exist/ },
    ],
    [{ action: 'burn', filter: {} }, { action: /must be one of patch, tag/ }],
  ])('is refused with the reason: %j', async (request, errors) => {
    const anna = await person();
    await expect(ask(anna, request as BulkRequest)).rejects.toMatchObject({
      name: 'BadRequest',
      errors: Object.fromEntries(
        Object.entries(errors).map(([name, like]) => [name, expect.stringMatching(like)]),
      ),
    });
    expect((await contacts.as(anna).bulkOperations.find({})).total).toBe(0);
  });
});
