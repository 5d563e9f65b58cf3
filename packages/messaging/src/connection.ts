import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { inboxOf } from './broker-users.ts';
import { pause } from './pause.ts';
import { type PublishToStream, publisherOn } from './publish-to-stream.ts';

/** One uninterrupted connection. */
export interface Session {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly publish: PublishToStream;
}

interface Options {
  readonly url: string;
  readonly name: string;
  readonly log: Logger;
  readonly retryMs: number;
  /** Called after each connection and reconnection. */
  readonly onConnect: () => void;
}

/**
 * Connects in the background and reconnects forever, even after the client library has given up for good, as it does when it is
 * rejected twice.
 */
export function keepConnected({ url, name, log, retryMs, onConnect }: Options) {
  const stopping = new AbortController();
  let connection: NatsConnection | undefined;
  let session: Session | undefined;
  let failing = false;

  const opened = async (to: NatsConnection, publish: PublishToStream) => {
    const jsm = await jetstreamManager(to, { checkAPI: false });
    session = { js: jetstream(to), jsm, publish };
    failing = false;
    onConnect();
  };
  const lost = () => {
    if (session && !stopping.signal.aborted) log.warn('the connection to the broker was lost');
    session = undefined;
  };
  const failed = (error: unknown) => {
    if (!failing) log.warn({ err: error }, 'the broker is unavailable');
    failing = true;
    return undefined;
  };

  async function stayConnected() {
    while (!stopping.signal.aborted) {
      connection = await dial(url, name, retryMs).catch(failed);
      if (connection && stopping.signal.aborted) await connection.close();
      else if (connection) await follow(connection, accessBy(url).inboxPrefix, { opened, lost, log });
      await pause(retryMs, stopping.signal);
    }
  }

  const staying = stayConnected();
  const close = async () => {
    stopping.abort();
    if (session && connection) await drain(connection);
    await connection?.close();
    await staying;
  };
  return { session: () => session, close };
}

function dial(url: string, name: string, retryMs: number): Promise<NatsConnection> {
  return connect({
    ...accessBy(url),
    name,
    // The first connection is retried by the caller and not by `waitOnFirstConnect`, which cannot be canceled.
    reconnectTimeWait: retryMs,
    maxReconnectAttempts: -1,
    // Half-open connections are detected after two unanswered pings; the default interval is two minutes.
    pingInterval: 10_000,
    timeout: 5_000,
  });
}

/**
 * The library ignores all of a URL but the host and the port. The servers of a cluster have the same users, so those of the
 * first URL are used for all; with `tls:` nothing is sent before the connection is encrypted.
 */
function accessBy(text: string): ConnectionOptions {
  const urls = text.split(',').map((url) => new URL(url));
  const servers = urls.map(({ host }) => host);
  const [first] = urls;
  const [user, password] = [first?.username, first?.password].map((part) => decodeURIComponent(part ?? ''));
  return {
    servers,
    ...(first?.protocol === 'tls:' && { tls: {} }),
    ...(user && { user, pass: password ?? '', inboxPrefix: inboxOf(user) }),
  };
}

interface Observer {
  readonly opened: (connection: NatsConnection, publish: PublishToStream) => Promise<void>;
  readonly lost: () => void;
  readonly log: Logger;
}

/** Reports the changes of a connection until it is closed. */
async function follow(
  connection: NatsConnection,
  inboxPrefix: string | undefined,
  { opened, lost, log }: Observer,
) {
  const publish = publisherOn(connection, inboxPrefix);
  await opened(connection, publish);
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') lost();
    if (status.type === 'reconnect') await opened(connection, publish);
    if (status.type === 'error') log.error({ err: status.error }, 'the broker reported an error');
  }
  lost();
}

/** Lets pending messages finish. Limited, because draining waits for a response that may never come. */
async function drain(connection: NatsConnection) {
  const timeout = new Promise((resolve) => setTimeout(resolve, 5_000).unref());
  await Promise.race([connection.drain().catch(() => {}), timeout]);
}
