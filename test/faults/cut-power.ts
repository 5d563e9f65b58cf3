import { globSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Kills a NATS server, and takes from its disk the last bytes of each stream, as if it had not written them yet. */
export function cutPower(pid: number, dataDir: string, bytes: number): void {
  process.kill(pid, 'SIGSTOP');
  for (const folder of globSync(`${dataDir}/nats/jetstream/*/streams/*/msgs`)) {
    const numbers = globSync('*.blk', { cwd: folder }).map((file) => Number.parseInt(file, 10));
    const last = join(folder, `${Math.max(...numbers)}.blk`);
    truncateSync(last, Math.max(0, statSync(last).size - bytes));
    rmSync(join(folder, 'index.db'), { force: true });
  }
  process.kill(pid, 'SIGKILL');
}
