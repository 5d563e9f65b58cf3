import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Heard {
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A site of somebody else that remembers what it is asked: an application's, or an attacker's. */
export async function startSite(pageAt: (path: string) => string = () => '<h1>Arrived</h1>') {
  const heard: Heard[] = [];
  const server = createServer(({ url = '/', headers }, response) => {
    if (url === '/favicon.ico') return response.writeHead(404).end();
    heard.push({ path: url, headers });
    return response.setHeader('content-type', 'text/html; charset=utf-8').end(pageAt(url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The same for a browser that must take it for another site than ours. */
    foreignUrl: `http://localhost:${port}`,
    heard: heard as readonly Heard[],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
