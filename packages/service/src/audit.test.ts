import { actorAt } from '@crm/auth';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { notesApi, notesService } from '../test/notes.ts';
import { serviceUnderTest } from '../test/service-under-test.ts';

const service = await serviceUnderTest(notesApi, notesService);
afterAll(service.close);

const access = { token_id: 7, client_id: 'c'.repeat(32), address: '192.0.2.1' };
const none = { act_user_id: null, client_id: null, token_id: null, address: null };

/** What was recorded of some work. */
async function auditedBy(work: () => Promise<unknown>) {
  const [{ last } = {}] = await service.rows('select max(id::text) as last from audit_events');
  await work();
  const rows = await service.rows(
    `select actor_type, user_id, act_user_id, client_id, token_id, address, action, record_type, record_id
     from audit_events where id::text > coalesce($1, '') order by id`,
    [last],
  );
  return rows;
}

describe('the audit log of a service', () => {
  it('names the user, the token, its application, the address, the operation and the record', async () => {
    const anna = someone({ access });
    let id = 0;
    const rows = await auditedBy(async () => {
      ({ id } = await service.as(anna).notes.create({ text: 'a' }));
    });
    const who = { actor_type: 'user', user_id: anna.id, act_user_id: null, ...access };
    expect(rows).toEqual([{ ...who, action: 'notes.create', record_type: 'note', record_id: id }]);
  });

  it('names no address that is none: a proxy may pass on what a client has invented', () => {
    const anna = someone({ access });
    for (const address of ['2001:db8::1', '198.51.100.7'])
      expect(actorAt(anna, address)).toEqual({ ...anna, access: { ...access, address } });
    for (const invented of ['<b>', '192.0.2.1, 198.51.100.7', '', '1'.repeat(5_000)])
      expect(actorAt(anna, invented)).toEqual({ ...anna, access: { ...access, address: null } });
  });

  it('tells of mutations that publish no event, once each', async () => {
    const anna = someone();
    const { notes } = service.as(anna);
    const [first, second] = [await notes.create({ text: 'a' }), await notes.create({ text: 'b' })];
    const who = { actor_type: 'user', user_id: anna.id, ...none };
    expect(await auditedBy(() => notes.like({ id: first.id }))).toEqual([
      { ...who, action: 'notes.like', record_type: 'note', record_id: first.id },
    ]);
    expect(await auditedBy(() => notes.swap({ first: first.id, second: second.id }))).toEqual([
      { ...who, action: 'notes.swap', record_type: null, record_id: null },
    ]);
    expect(await auditedBy(() => service.asSystem.notes.purge({}))).toEqual([
      {
        ...who,
        actor_type: 'operator',
        user_id: null,
        action: 'notes.purge',
        record_type: null,
        record_id: null,
      },
    ]);
  });

  it('contains nothing of what was refused, and a repeated request once', async () => {
    const { notes } = service.as(someone());
    expect(await auditedBy(() => expect(notes.create({ text: 'bad' })).rejects.toThrow())).toEqual([]);
    const keyed = (text: string) => notes.create({ text }, { idempotencyKey: `audit ${text}` });
    expect(await auditedBy(() => expect(keyed('bad')).rejects.toThrow())).toEqual([]);
    expect(await auditedBy(async () => [await keyed('a'), await keyed('a')])).toMatchObject([
      { action: 'notes.create' },
    ]);
  });

  it('names the broker who acts for the user, also when the broker only reads', async () => {
    const anna = someone({ access });
    const acting = { ...anna, act: { id: 5, delegation_id: 6 } };
    const { id } = await service.as(anna).notes.create({ text: 'a' });
    const who = { actor_type: 'broker', user_id: anna.id, act_user_id: 5, ...access };
    expect(await auditedBy(() => service.as(acting).notes.like({ id }))).toMatchObject([who]);
    expect(await auditedBy(() => service.as(acting).notes.get({ id }))).toEqual([
      { ...who, action: 'notes.get', record_type: 'note', record_id: id },
    ]);
    expect(await auditedBy(() => service.as(acting).notes.find({}))).toEqual([
      { ...who, action: 'notes.find', record_type: null, record_id: null },
    ]);
    expect(await auditedBy(() => service.as(anna).notes.get({ id }))).toEqual([]);
  });

  it('cannot be changed, not even by the service', async () => {
    await service.as(someone()).notes.create({ text: 'a' });
    for (const change of ["update audit_events set action = 'x'", 'delete from audit_events'])
      await expect(service.rows(change)).rejects.toThrow('can only be added');
  });
});
