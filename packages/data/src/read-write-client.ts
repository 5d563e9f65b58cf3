import pg, { type ClientConfig } from 'pg';
import { urlsOf } from './database-url.ts';

type Reach = Pick<ClientConfig, 'connectionString'> & { readonly Client?: typeof pg.Client };

/** How connections and pools reach the database of a URL: if it has several hosts, the one that accepts writes. */
export function reachOf(url: string): Reach {
  const urls = urlsOf(url);
  return { connectionString: urls[0], ...(urls.length > 1 && { Client: clientOfOne(urls) }) };
}

/**
 * A connection to the database of a URL, not yet connected. If it breaks, the pending statement fails or, if there is none, the
 * next one.
 */
export function clientTo(url: string, config: ClientConfig = {}): pg.Client {
  const { Client = pg.Client, ...reach } = reachOf(url);
  // Without a listener, a broken connection would end the process.
  return new Client({ ...config, ...reach }).on('error', () => undefined);
}

/**
 * node-postgres knows only one host. Before each connection is opened, all hosts are asked which of them accepts writes at that
 * moment. Connections that are opened together ask once.
 */
function clientOfOne(urls: readonly string[]): typeof pg.Client {
  let asking: Promise<URL> | undefined;
  const ask = () => {
    asking ??= readWriteOf(urls).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void) {
      const { promise, resolve, reject } = Promise.withResolvers<pg.Client>();
      const done = callback ?? ((error: Error | null) => (error ? reject(error) : resolve(this)));
      const connect = ({ hostname, port }: URL) => {
        // The caller may have given up in the meantime.
        if (this.connection.stream.destroyed) return done(new Error('Connection terminated'));
        this.host = hostname.replace(/^\[(.+)\]$/, '$1');
        this.port = Number(port || 5432);
        super.connect(done);
      };
      ask().then(connect, done);
      return promise;
    }
  };
}

const askMs = 2_000;

/** That the database cannot be used now, as PostgreSQL itself says while it starts. */
const cannotConnectNow = '57P03';

/** A password, role or database that is wrong at each host. */
const isRefusal = /^(28|3D)/;

async function readWriteOf(urls: readonly string[]): Promise<URL> {
  const asked = urls.map(demandReadWrite);
  try {
    return await Promise.any(asked);
  } catch (error) {
    const refused = error instanceof AggregateError && error.errors.find(({ code }) => isRefusal.test(code));
    if (refused) throw refused;
    throw Object.assign(new Error('No host of the database accepts writes.'), {
      code: cannotConnectNow,
      cause: error,
    });
  }
}

async function demandReadWrite(url: string): Promise<URL> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'crm-find-primary',
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  client.on('error', () => undefined); // A broken connection also fails what waits for it.
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only === 'off') return new URL(url);
    throw new Error(`${client.host}:${client.port} accepts no writes.`);
  } finally {
    client.connection.stream.destroy();
  }
}
