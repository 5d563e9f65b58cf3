import { spawnSync } from 'node:child_process';

/** What git answers in a folder, or nothing when it refuses or is not installed. */
export type Git = (...words: readonly string[]) => string | undefined;

export function gitIn(folder: string): Git {
  return (...words) => {
    const { status, stdout } = spawnSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      // Documents are larger than what is usually kept.
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return status === 0 ? stdout : undefined;
  };
}
