import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that embedded servers choose for themselves and the ephemeral ports. */
const [minPort, maxPort] = [10_000, 20_000];

/** As many as the largest test system needs, plus the one that reserves them. */
const portsOfBlock = 32;

export interface ReservedPorts {
  /** Consecutive free ports of 127.0.0.1. */
  readonly ports: readonly number[];
  /** Releases the reservation; the end of the process does so, too. */
  free(): void;
}

/** Ports that no other test gets, in this process or another one, before and after they are opened. */
export async function reservePorts(): Promise<ReservedPorts> {
  for (;;) {
    const first = minPort + portsOfBlock * randomInt(Math.floor((maxPort - minPort) / portsOfBlock));
    // Only one process can listen on the last port of a block, which reserves the others.
    const reservation = await listenOn(first + portsOfBlock - 1);
    if (!reservation) continue;
    const ports = Array.from({ length: portsOfBlock - 1 }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean))
      return { ports, free: () => void reservation.close() };
    reservation.close();
  }
}

let left: readonly number[] = [];

/** A port like that of `reservePorts`, until this process ends. */
export async function reservePort(): Promise<number> {
  for (;;) {
    const [port, ...others] = left;
    if (port !== undefined) {
      left = others;
      return port;
    }
    const { ports } = await reservePorts();
    left = ports;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  server?.close();
  if (server) await once(server, 'close');
  return server !== undefined;
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().unref().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
