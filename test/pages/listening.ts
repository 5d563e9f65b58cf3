import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  /** Including the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A foreign site that records its requests: that of an application or of an attacker. */
export async function startSite({
  pageAt = () => '<h1>Arrived</h1>',
  cookies = [],
}: {
  readonly pageAt?: (path: string) => string;
  readonly cookies?: readonly string[];
} = {}) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(({ url = '/', headers }, response) => {
    if (url === '/favicon.ico') return response.writeHead(404).end();
    requests.push({ path: url, headers });
    response.setHeader('set-cookie', cookies).setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(pageAt(url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The same site under a host name that is cross-site for a browser. */
    foreignUrl: `http://localhost:${port}`,
    requests: requests as readonly ReceivedRequest[],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
