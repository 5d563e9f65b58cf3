import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import type { PeerName } from './options.ts';
import type { OurSystem } from './start-system.ts';

export type TargetName = 'ours' | PeerName;

/** Something that answers the requests. */
export interface Target {
  readonly name: TargetName;
  readonly url: string;
  readonly pid: number;
  /** Where its rows are. */
  readonly schema: 'contacts' | 'peers';
}

/** Our system, which runs, and the peers, which this starts. */
export async function startTargets(
  folder: string,
  system: OurSystem,
  peers: readonly PeerName[],
  env: NodeJS.ProcessEnv,
  cleanup: AsyncDisposableStack,
): Promise<Target[]> {
  const targets = [ourTarget(system)];
  for (const name of peers) {
    const peer = await startPeer(folder, name, system.databaseUrl, env);
    cleanup.defer(peer.stop);
    targets.push(peer);
  }
  return targets;
}

export const ourTarget = ({ url, pid }: OurSystem): Target => ({
  name: 'ours',
  url,
  pid,
  schema: 'contacts',
});

/** As many as our services of identity and contacts have together. */
const poolSize = 20;

/** Starts a peer on the same Node and the same PostgreSQL. */
async function startPeer(
  folder: string,
  name: PeerName,
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<Target & Pick<Child, 'stop'>> {
  const own = { NODE_ENV: 'production', TZ: 'UTC', DATABASE_URL: databaseUrl, POOL_SIZE: String(poolSize) };
  const { pid, said, stop } = await startChild({
    name,
    args: [join(folder, 'peers', name, 'main.ts')],
    env: { ...env, ...own },
    cwd: folder,
  });
  return { name, url: said, pid, schema: 'peers', stop };
}
