import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The range to search: below the ephemeral ports of outgoing connections, so that none of these takes a port before it is opened.
 */
const [minPort, maxPort] = [20_000, 32_000];
const attempts = 20;

/** The preferred port of 127.0.0.1 if it is free, otherwise any free one. */
export async function freePort(preferred = randomInt(minPort, maxPort)): Promise<number> {
  for (let attempt = 0, port = preferred; attempt < attempts; attempt++, port = randomInt(minPort, maxPort)) {
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

/** In use, or a port that this user may not open. */
function portIsRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  );
}
