import pg, { type Pool, type PoolClient } from 'pg';
import { maxSilenceMs } from './statement-time.ts';

/** What pg does not declare. */
interface Reached {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  /** With which PostgreSQL, or a pooler, recognizes a connection. */
  readonly processID: number;
  readonly secretKey: number;
}
interface Wire extends pg.Connection {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Tells the server to end the statement that a connection runs, over one without a session, so that it works where sessions
 * are shared or none is left. Returns when the server has been told. Never throws.
 */
export async function cancelStatement({ options }: Pool, client: PoolClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as PoolClient & Reached;
  // Never connects itself, but knows how to encrypt. Hosts need not be asked: the connection has its own.
  const wire = new pg.Client(options).connection as Wire;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = () => wire.cancel(processID, secretKey);
  wire.on('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') wire.requestSsl();
  });
  wire.on('sslconnect', cancel);
  wire.on('error', () => resolve());
  wire.on('end', () => resolve());
  wire.connect(port, host);
  // A server that can be reached closes the connection at once.
  const timer = setTimeout(resolve, maxSilenceMs);
  await promise;
  clearTimeout(timer);
  wire.stream.destroy();
}
