import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports among which one is sought: below those that systems give to connections as they come, so that nothing takes
 * a port between its being found and its being opened.
 */
const [least, most] = [20_000, 32_000];
const attempts = 20;

/** The preferred port of 127.0.0.1 when it is free, else any free one. */
export async function freePort(preferred = randomInt(least, most)): Promise<number> {
  for (let attempt = 0, port = preferred; attempt < attempts; attempt++, port = randomInt(least, most)) {
    if ((await listenOnce(port)) !== undefined) return port;
  }
  const any = await listenOnce(0);
  if (any === undefined) throw new Error('No port of 127.0.0.1 is free.');
  return any;
}

export async function portIsFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (portIsRefused(error)) return undefined;
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : undefined;
}

/** Taken by somebody, or below the ports that this user may open. */
function portIsRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  );
}
