import { once } from 'node:events';
import { createServer } from 'node:net';

/** The preferred port of 127.0.0.1 when it is free, else any free one. */
export async function freePort(preferred = 0): Promise<number> {
  const port = (await listenOnce(preferred)) ?? (await listenOnce(0));
  if (port === undefined) throw new Error('No port of 127.0.0.1 is free.');
  return port;
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
