import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';
import { digestOf } from './find-sent.ts';

const at = Date.parse('2026-03-02T10:00:00Z');
const lost = { to: '+16045550123', at, digest: digestOf('Hello') };
const text = (sid: string, ms: number) => ({
  sid,
  status: 'queued',
  body: 'Hello',
  date_created: new Date(ms).toUTCString(),
});

/**
 * Queries a provider that has some texts and lists as many as requested. In queries by day, it leaves out texts that it has not
 * sent yet.
 */
async function askedOf(messages: readonly object[]) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const isByDay = [...searchParams.keys()].some((name) => /^(DateSent|StartTime)/.test(name));
    const listed = messages.slice(0, Number(searchParams.get('PageSize')));
    response.end(JSON.stringify({ messages: isByDay ? [] : listed }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { delivery } = await providers({
    carrierUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return delivery.find(lost);
}

describe('a lost text', () => {
  it('is found although it is still queued, among those to its number at its time', async () => {
    const messages = [
      text('SMlate', at + 600_000),
      text('SMfound', at + 1_000),
      text('SMearly', at - 600_000),
    ];
    expect(await askedOf(messages)).toEqual({
      is: 'answered',
      found: [{ reference: 'SMfound', state: 'Queued' }],
    });
  });

  it('is not considered missing when only later ones are listed', async () => {
    const later = Array.from({ length: 2_000 }, (_, index) => text(`SM${index}`, at + 600_000));
    expect(await askedOf([...later, text('SMlost', at)])).toMatchObject({ is: 'unavailable' });
  });
});
