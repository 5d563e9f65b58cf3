import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { remoteService } from './remote-service.ts';
import { resultText } from './wire.ts';

it('calls are refused at once while very many wait for a service that does not respond, and accepted when it does', async () => {
  const answers: (() => void)[] = [];
  const server = createServer((_request, response) => {
    answers.push(() => response.end(resultText('{}')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { call, close } = remoteService(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await close();
    server.close();
  });
  const ask = () => call({ procedure: 'notes.find', input: {}, credential: undefined, requestId: 'r' });
  const waiting = Array.from({ length: 1_000 }, ask);
  await expect(ask()).rejects.toMatchObject({ name: 'Unavailable', retryAfter: 1 });
  const answering = setInterval(() => answers.splice(0).forEach((answer) => void answer()), 5);
  onTestFinished(() => clearInterval(answering));
  await Promise.all(waiting);
  expect(await ask()).toMatchObject({ text: '{}' });
});
