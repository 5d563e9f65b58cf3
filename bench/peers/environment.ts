/** What the rig tells a peer. */
export interface PeerEnvironment {
  readonly databaseUrl: string;
  readonly poolSize: number;
}

/** Of each connection. A peer has the same limits as ours. */
export const connectionOptions =
  '-c search_path=peers -c timezone=UTC -c statement_timeout=5s -c random_page_cost=1.1';

export function readPeerEnvironment(env: NodeJS.ProcessEnv): PeerEnvironment {
  const { DATABASE_URL, POOL_SIZE } = env;
  if (!DATABASE_URL || !POOL_SIZE) throw new Error('Peers are started by the rig: npm run bench.');
  return { databaseUrl: DATABASE_URL, poolSize: Number(POOL_SIZE) };
}

/** Tells the rig the address, and ends when it asks. */
export function announce(port: number): void {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
}
