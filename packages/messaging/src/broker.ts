import type { Logger } from 'pino';
import { keepConnected, type Session } from './connection.ts';

interface BrokerOptions {
  readonly url: string;
  /** The name of the connection in the broker's lists, for operators. */
  readonly name: string;
  readonly log: Logger;
  /** The number of nodes that store each stream; must be the same in every service of an installation. */
  readonly replicas?: number;
  readonly retryMs?: number;
}

export interface Broker {
  readonly log: Logger;
  readonly replicas: number;
  /** The current connection; throws `BrokerUnavailable` if there is none. A reconnection is a new session. */
  session(): Session;
  connected(): boolean;
  /** Waits for a connection; throws `BrokerUnavailable` after the given time. For commands; services do not wait. */
  ready(ms: number): Promise<void>;
  /** Calls back after each connection and reconnection, until the returned function is called. */
  onConnect(callback: () => void): () => void;
  /** Lets pending messages finish, then disconnects for good. */
  close(): Promise<void>;
}

export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/** Starts connecting and returns at once, because a service must be able to start and serve while the broker is unavailable. */
export function connectBroker({ url, name, log, replicas = 1, retryMs = 1_000 }: BrokerOptions): Broker {
  const callbacks = new Set<() => void>();
  const notify = () => {
    for (const callback of callbacks) callback();
  };
  const { session, close } = keepConnected({ url, name, log, retryMs, onConnect: notify });
  const connected = () => session() !== undefined;
  const onConnect = (callback: () => void) => {
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  };
  return {
    log,
    replicas,
    session() {
      const current = session();
      if (!current) throw new BrokerUnavailable('The broker is unavailable.');
      return current;
    },
    connected,
    async ready(ms) {
      if (connected()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const unsubscribe = onConnect(resolve);
      await promise;
      clearTimeout(timer);
      unsubscribe();
      if (!connected()) throw new BrokerUnavailable(`The broker did not respond within ${ms} ms.`);
    },
    onConnect,
    close,
  };
}
