import { describe, expect, inject, it } from 'vitest';
import { brokerAt, unique } from '../test/rig.ts';
import { ensureStream } from './stream.ts';
import { streamOf } from './stream-name.ts';

describe('the stream of a publisher', () => {
  it('is created once by concurrent requests, and updated to the current settings', async () => {
    const service = `publisher-${unique()}`;
    const brokers = Array.from({ length: 4 }, () => brokerAt(inject('natsUrl')));
    const [broker] = brokers;
    if (!broker) throw new Error('The list of brokers is empty.');
    await Promise.all(brokers.map((each) => each.ready(60_000)));
    await broker.session().jsm.streams.add({ name: streamOf(service), subjects: [`crm.${service}.>`] });

    await Promise.all(brokers.map((each) => ensureStream(each, service)));
    await ensureStream(broker, service);

    const { config } = await broker.session().jsm.streams.info(streamOf(service));
    expect(config).toMatchObject({
      subjects: [`crm.${service}.>`, `crm-redrive.${service}.>`],
      retention: 'limits',
      storage: 'file',
      discard: 'new',
      duplicate_window: 600e9,
      max_age: 14 * 86_400e9,
      allow_direct: true,
      deny_delete: true,
      deny_purge: true,
    });
  });
});
