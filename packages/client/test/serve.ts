import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Call } from '../src/call.ts';
import { remoteService } from '../src/remote-service.ts';

/** Serves requests until the test ends. Returns how to call it as a service. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { call, close } = remoteService(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await close();
  });
  return (more: Partial<Call> = {}) =>
    call({ procedure: 'notes.find', input: {}, credential: undefined, requestId: 'r', ...more });
}
