import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Heard {
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A site of somebody else that remembers what it is asked: an application's, or an attacker's. */
export async function startSite({
  pageAt = () => '<h1>Arrived</h1>',
  cookies = [],
}: {
  readonly pageAt?: (path: string) => string;
  readonly cookies?: readonly string[];
} = {}) {
  const heard: Heard[] = [];
  const server = createServer(({ url = '/', headers }, response) => {
    if (url === '/favicon.ico') return response.writeHead(404).end();
    heard.push({ path: url, headers });
    response.setHeader('set-cookie', cookies).setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(pageAt(url));
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
