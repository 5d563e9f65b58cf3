import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { pause } from './pause.ts';

export interface BrokerOptions {
  readonly url: string;
  /** Who connects, for the operator's lists of connections. */
  readonly name: string;
  readonly log: Logger;
  /** How many nodes keep each stream; every service of an installation must say the same. */
  readonly replicas?: number;
  readonly retryMs?: number;
}

/** One unbroken connection. */
export interface Session {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

export interface Broker {
  readonly log: Logger;
  readonly replicas: number;
  /** The connection of this moment; throws `BrokerUnavailable` when there is none. A reconnection is a new session. */
  session(): Session;
  connected(): boolean;
  /** Waits for a connection, and throws `BrokerUnavailable` when there is none in time. For commands; services do not wait. */
  ready(ms: number): Promise<void>;
  /** Tells of each connection and reconnection, until the returned function is called. */
  onConnect(listener: () => void): () => void;
  /** Lets what is under way finish, then disconnects for good. */
  close(): Promise<void>;
}

export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/**
 * Starts connecting and returns at once, because a service must start and serve while the broker is away.
 * From then on it reconnects for ever, also after the client library has given up for good, as it does when
 * it is refused twice.
 */
export function connectBroker({ url, name, log, replicas = 1, retryMs = 1_000 }: BrokerOptions): Broker {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let connection: NatsConnection | undefined;
  let session: Session | undefined;
  let away = false;

  async function dial() {
    // Half-open connections are found after two unanswered pings; the default interval is two minutes. The
    // first connection is retried here and not by `waitOnFirstConnect`, which cannot be called off.
    const options = {
      reconnectTimeWait: retryMs,
      maxReconnectAttempts: -1,
      pingInterval: 10_000,
      timeout: 5_000,
    };
    try {
      return await connect({ servers: url.split(','), name, ...options });
    } catch (error) {
      if (!away) log.warn({ err: error }, 'the broker is away');
      away = true;
      return undefined;
    }
  }

  async function open(to: NatsConnection) {
    session = { js: jetstream(to), jsm: await jetstreamManager(to, { checkAPI: false }) };
    away = false;
    for (const listener of listeners) listener();
  }

  async function follow(connected: NatsConnection) {
    await open(connected);
    for await (const status of connected.status()) {
      if (status.type === 'disconnect') session = undefined;
      if (status.type === 'disconnect' && !stopping.signal.aborted) log.warn('the broker was lost');
      if (status.type === 'reconnect') await open(connected);
      if (status.type === 'error') log.error({ err: status.error }, 'the broker refused something');
    }
    session = undefined;
  }

  async function stayConnected() {
    while (!stopping.signal.aborted) {
      connection = await dial();
      if (connection && stopping.signal.aborted) await connection.close();
      else if (connection) await follow(connection);
      await pause(retryMs, stopping.signal);
    }
  }

  const staying = stayConnected();

  return {
    log,
    replicas,
    session() {
      if (!session) throw new BrokerUnavailable('The broker is away.');
      return session;
    },
    connected: () => session !== undefined,
    async ready(ms) {
      if (session) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      listeners.add(resolve);
      await promise;
      clearTimeout(timer);
      listeners.delete(resolve);
      if (!session) throw new BrokerUnavailable(`The broker did not answer in ${ms} ms.`);
    },
    onConnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      stopping.abort();
      // Draining waits for an answer of the broker, which may never come.
      if (session && connection) await Promise.race([connection.drain().catch(() => {}), pauseUnheld(5_000)]);
      await connection?.close();
      await staying;
    },
  };
}

/** A wait that does not keep the process alive. */
function pauseUnheld(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
