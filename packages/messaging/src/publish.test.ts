import type { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, inject, it } from 'vitest';
import { relay } from '../test/consuming.ts';
import { allSent, brokerAt, createService, rename, renamedOf, stored, waiting } from '../test/rig.ts';
import { publish } from './publish.ts';

describe('publishing', () => {
  it('sends what was committed, soon after the commit, and nothing that was rolled back', async () => {
    const publisher = await createService('publisher');
    const broker = brokerAt(inject('natsUrl'));
    const { lag } = relay(publisher, broker);
    await rename(publisher, { name: 'first' });
    await allSent(publisher);

    const rolledBack = rename(publisher, { name: 'never', meanwhile: () => Promise.reject(new Error('no')) });
    await expect(rolledBack).rejects.toThrow('no');
    await rename(publisher, { name: 'second' });
    // The next look without one is half a minute away, so it is the commit that woke the relay.
    await allSent(publisher);

    const names = (await stored(broker, publisher.service)).map((text) => JSON.parse(text).data.name);
    expect(names).toEqual(['first', 'second']);
    expect(await lag()).toEqual({ waiting: 0, oldestSeconds: 0, lostAt: null });
  });

  it('records the actor, the aggregate, the time and the request', async () => {
    const publisher = await createService('publisher');
    await rename(publisher, { id: 7, version: 3, name: 'Ada' });
    const { rows } = await publisher.pool.query('select event_id, subject, payload from outbox');
    expect(rows).toEqual([
      {
        event_id: expect.any(String),
        subject: `crm.${publisher.service}.contact.renamed`,
        payload: {
          specversion: '1.0',
          id: rows[0].event_id,
          source: `crm/${publisher.service}`,
          type: `crm.${publisher.service}.contact.renamed`,
          subject: 'contact/7',
          time: '2026-03-01T09:00:00.000Z',
          datacontenttype: 'application/json',
          aggregateversion: 3,
          actor: 'system',
          requestid: 'test',
          data: { name: 'Ada' },
        },
      },
    ]);
  });

  it('belongs to its transaction, also to an inner one, and keeps its order', async () => {
    const publisher = await createService('publisher');
    const event = renamedOf(publisher.service);
    const by = (em: EntityManager, name: string) => {
      const origin = { em, actor: 'system', requestId: 'test', now: () => new Date(0) };
      publish(origin, event, { id: 1, version: 1 }, { name });
    };
    const outer = publisher.orm.em.fork();
    await outer.transactional(async (em) => {
      by(em, 'first');
      await em.transactional(async (inner) => by(inner, 'inner'));
      const refused = em.transactional(async (inner) => {
        by(inner, 'never');
        throw new Error('no');
      });
      await expect(refused).rejects.toThrow('no');
      by(em, 'last');
    });
    const { rows } = await publisher.pool.query(
      `select payload -> 'data' ->> 'name' as name from outbox order by id`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['first', 'inner', 'last']);
    expect(() => by(outer, 'lost')).toThrow('in a transaction');
  });

  it('rejects data that does not match the schema, and an event that is too large', async () => {
    const publisher = await createService('publisher');
    const event = renamedOf(publisher.service);
    const origin = {
      em: publisher.orm.em.fork(),
      actor: 'system',
      requestId: 'test',
      now: () => new Date(0),
    };
    // @ts-expect-error The name is missing.
    expect(() => publish(origin, event, { id: 1, version: 1 }, {})).toThrow('name');
    const name = 'x'.repeat(256 * 1024);
    expect(() => publish(origin, event, { id: 1, version: 1 }, { name })).toThrow('the limit is 262144');
    await origin.em.flush();
    expect(await waiting(publisher)).toBe(0);
  });
});
