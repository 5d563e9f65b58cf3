import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to all data on a link, in both directions. */
export interface Disturbance {
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  /** No data passes over connections that are open or opened meanwhile, and none is closed, even afterwards. */
  readonly isSilent?: boolean;
  /** Connections are closed, and no new ones are accepted. */
  readonly isCut?: boolean;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  isSilent: boolean;
  /** How many chunks a client has sent since it was silenced. */
  discarded: number;
}

/** A TCP proxy in front of one server, or of the server that a function names for each connection. */
export async function faultyProxy(target: string | (() => string | undefined)) {
  const connections = new Set<Connection>();
  let disturbance: Disturbance = {};
  const server = createServer((near) => {
    const url = typeof target === 'string' ? target : target();
    // Without a listener, a client that disconnects would end this process.
    near.on('error', () => undefined);
    if (url === undefined || disturbance.isCut) return void near.destroy();
    const connection = joined(near, url, () => disturbance);
    connections.add(connection);
    connection.far.once('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const silence = () => silenced(connections);
  const cut = () => closed(connections);
  return {
    /** The URL of the target through the proxy. */
    url: throughPort(typeof target === 'string' ? target : 'http://127.0.0.1', port),
    port,
    /** Disturbs the link until it is called again. */
    disturb(next: Disturbance = {}) {
      disturbance = next;
      if (next.isSilent) silence();
      if (next.isCut) cut();
    },
    /** Stops passing on data over the open connections without closing them. New ones work. */
    silence,
    close() {
      server.close();
      cut();
    },
  };
}

export type FaultyProxy = Awaited<ReturnType<typeof faultyProxy>>;

function silenced(connections: ReadonlySet<Connection>) {
  const all = [...connections];
  for (const connection of all) connection.isSilent = true;
  return {
    connections: all.length,
    /** How often clients have used one of them since. */
    uses: () => all.reduce((sum, { discarded }) => sum + discarded, 0),
  };
}

function closed(connections: ReadonlySet<Connection>): void {
  for (const { near, far } of connections) {
    near.destroy();
    far.destroy();
  }
}

/** Connects a client to the server. */
function joined(near: Socket, url: string, disturbance: () => Disturbance): Connection {
  const { hostname, port } = new URL(url);
  const far = connect({ host: hostname, port: Number(port), noDelay: true });
  const connection = {
    near: near.setNoDelay(),
    far,
    isSilent: disturbance().isSilent ?? false,
    discarded: 0,
  };
  forward(near, far, connection, disturbance);
  forward(far, near, connection, disturbance);
  return connection;
}

/** Passes on chunks one after the other. What a silent connection discards is lost for good. */
function forward(from: Socket, to: Socket, connection: Connection, disturbance: () => Disturbance): void {
  from.on('data', async (piece: Buffer) => {
    if (connection.isSilent) {
      if (from === connection.near) connection.discarded += 1;
      return;
    }
    from.pause();
    const { delayMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = disturbance();
    const ms = delayMs + (1_000 * piece.length) / bytesPerSecond;
    if (ms > 0) await sleep(ms);
    if (connection.isSilent || to.destroyed) return void from.resume();
    to.write(piece, () => from.resume());
  });
  from.on('error', () => to.destroy());
  // The far end of a silent connection is closed once the near one has given up, so that they do not accumulate.
  from.on('close', () => to.destroySoon());
}

function throughPort(target: string, port: number): string {
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return url.protocol === 'http:' ? url.origin : url.href;
}
