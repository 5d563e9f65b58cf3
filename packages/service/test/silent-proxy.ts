import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose connections can fall silent, as they do when a machine disappears without closing them. */
export async function silentProxy(target: string) {
  const { hostname, port } = new URL(target);
  let open: Socket[] = [];
  const all = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.push(near, far);
    for (const socket of [near, far]) all.add(socket.on('error', () => {}));
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  const address = server.address();
  if (typeof address === 'object' && address) url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    /** Passes nothing on over the open connections, and closes none. New ones work. */
    silence() {
      for (const socket of open) socket.unpipe().pause();
      const silent = open.length / 2;
      open = [];
      return { connections: silent };
    },
    close() {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
}
