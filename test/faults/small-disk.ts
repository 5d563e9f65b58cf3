import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const megabytes = 768;

/** Only root may mount a disk, and only Linux has this kind of one. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A folder for data: on a disk of its own, which is small enough to be filled, or where other temporary files are. */
export async function dataFolder(cleanup: AsyncDisposableStack, isSmall: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'crm-faults-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  if (isSmall) {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    cleanup.defer(async () => void (await run('umount', [folder])));
  }
  return {
    folder,
    /** Leaves no room on the disk for a while. */
    async fill(ms: number): Promise<void> {
      if (!isSmall) throw new Error('Only a disk of its own may be filled.');
      // Of its own, because the disk may be filled again before this has ended.
      const ballast = join(folder, `ballast-${randomUUID()}`);
      // Ends with an error, which is that there is no room left.
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => undefined);
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize > 1_000_000) throw new Error(`${folder} could not be filled.`);
      await sleep(ms);
      await rm(ballast);
    },
  };
}
