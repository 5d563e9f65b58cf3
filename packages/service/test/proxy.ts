import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut, and led to another one. */
export async function proxyTo(url: string) {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      // A cut is an error of one side and an end of the other.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        sockets.delete(one);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    leadTo(other: string) {
      target = new URL(other);
    },
    close() {
      cut();
      server.close();
    },
  };
}
