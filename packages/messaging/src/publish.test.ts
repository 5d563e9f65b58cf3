import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { brokerAt, eventually, log, place, rename, renamedOf, stored, waiting } from '../test/rig.ts';
import { publish } from './publish.ts';
import { startRelay } from './relay.ts';

describe('publishing', () => {
  it('sends what was committed, soon after the commit, and nothing of what was rolled back', async () => {
    const speaker = await place('speaker');
    const broker = brokerAt(inject('natsUrl'));
    const relay = startRelay({ ...speaker, broker, log, pollMs: 60_000 });
    onTestFinished(() => relay.stop());
    await rename(speaker, { name: 'first' });
    await eventually(
      () => waiting(speaker),
      (n) => n === 0,
    );

    const rolledBack = rename(speaker, { name: 'never', meanwhile: () => Promise.reject(new Error('no')) });
    await expect(rolledBack).rejects.toThrow('no');
    await rename(speaker, { name: 'second' });
    // The poll is a minute away, so it is the commit that woke the relay.
    await eventually(
      () => waiting(speaker),
      (n) => n === 0,
      2_000,
    );

    const names = (await stored(broker, speaker.service)).map((text) => JSON.parse(text).data.name);
    expect(names).toEqual(['first', 'second']);
    expect(await relay.lag()).toEqual({ waiting: 0, oldestSeconds: 0 });
  });

  it('tells who did what to which aggregate, when and in which request', async () => {
    const speaker = await place('speaker');
    await rename(speaker, { id: 7, version: 3, name: 'Ada' });
    const { rows } = await speaker.pool.query('select event_id, subject, payload from outbox');
    expect(rows).toEqual([
      {
        event_id: expect.any(String),
        subject: `crm.${speaker.service}.contact.renamed`,
        payload: {
          specversion: '1.0',
          id: rows[0].event_id,
          source: `crm/${speaker.service}`,
          type: `crm.${speaker.service}.contact.renamed`,
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

  it('refuses data that is not as declared, and an event that is too large', async () => {
    const speaker = await place('speaker');
    const event = renamedOf(speaker.service);
    const origin = { em: speaker.orm.em.fork(), actor: 'system', requestId: 'test', now: () => new Date(0) };
    // @ts-expect-error The name is missing.
    expect(() => publish(origin, event, { id: 1, version: 1, data: {} })).toThrow('name');
    const name = 'x'.repeat(256 * 1024);
    expect(() => publish(origin, event, { id: 1, version: 1, data: { name } })).toThrow('262144 bytes');
    await origin.em.flush();
    expect(await waiting(speaker)).toBe(0);
  });
});
