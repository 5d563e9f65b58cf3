import type { Git } from './git.ts';

/** The commit to compare with, or why there is none. */
export interface Compared {
  readonly commit: string | undefined;
  readonly reason: string;
}

const mains = ['origin/main', 'main'];

/** The requested commit. By default the last common commit of main and this branch, or on main itself, the parent. */
export function comparedCommit(git: Git, asked?: string): Compared {
  if (asked !== undefined) return askedCommit(git, asked);
  const head = commitOf(git, 'HEAD');
  if (head === undefined) return nothing('There is no git repository with a commit here');
  for (const main of mains) {
    const base = git('merge-base', 'HEAD', main)?.trim();
    if (base && base !== head) return { commit: base, reason: `the last commit that it shares with ${main}` };
  }
  const parent = commitOf(git, 'HEAD^');
  if (parent !== undefined) return { commit: parent, reason: 'the parent commit' };
  return isShallow(git)
    ? nothing('This clone has no history (`git fetch --unshallow` brings it)')
    : nothing('This is the first commit');
}

function askedCommit(git: Git, asked: string): Compared {
  const commit = commitOf(git, asked);
  if (commit !== undefined) return { commit, reason: 'as requested' };
  const remedy = isShallow(git)
    ? 'This clone is shallow: `git fetch --unshallow` brings the history.'
    : `If it is on the server, \`git fetch origin ${asked}\` brings it.`;
  throw new CommitNotFound(`There is no commit "${asked}" here. ${remedy}`);
}

export class CommitNotFound extends Error {}

const commitOf = (git: Git, name: string): string | undefined =>
  git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)?.trim();

const isShallow = (git: Git): boolean => git('rev-parse', '--is-shallow-repository')?.trim() === 'true';

const nothing = (why: string): Compared => ({
  commit: undefined,
  reason: `${why}, so there is nothing to compare with.`,
});
