import { once } from 'node:events';
import { connect } from 'node:net';
import { freshDatabase } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

it('a service that closes still serves what comes over an open connection, and then ends it', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const service = await startNotes(fresh.urls.notes, { drainMs: 60_000 });
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const ask = async () => {
    socket.write('GET /healthz HTTP/1.1\r\nhost: notes\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer);
  };
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i);
  const closed = service.close();
  const isReady = () => fetch(`${service.url}/readyz`, { headers: { connection: 'close' } });
  await expect.poll(async () => (await isReady()).status).toBe(503);
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  await closed;
});

it('a service that is asked to end is no longer ready, also while its workers finish what they do', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const finished = Promise.withResolvers<void>();
  const definition = { ...notesService, workers: [async () => ({ stop: () => finished.promise })] };
  const service = await startNotes(fresh.urls.notes, { definition });
  const closed = service.close();
  const answer = await fetch(`${service.url}/readyz`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
  finished.resolve();
  await closed;
});
