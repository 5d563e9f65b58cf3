import { spawnSync } from 'node:child_process';

/** The output of git in a folder; undefined if git fails or is not installed. */
export type Git = (...words: readonly string[]) => string | undefined;

export function gitIn(folder: string): Git {
  return (...words) => {
    const { status, stdout } = spawnSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      // Documents are larger than the default buffer.
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return status === 0 ? stdout : undefined;
  };
}
