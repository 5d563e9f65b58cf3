import { compareVersions } from './compare-versions.ts';
import { CommitNotFound, comparedCommit } from './compared-commit.ts';
import { gitIn } from './git.ts';
import { reportOf } from './report.ts';
import { atCommit, workingTree } from './version.ts';

export interface GateResult {
  readonly text: string;
  /** 0: every breaking change is listed in the changelog; 1: one is not; 2: the commit was not found. */
  readonly exitCode: 0 | 1 | 2;
}

/** Compares the documents in a folder with those of a commit. */
export function runGate(folder: string, words: readonly string[]): GateResult {
  if (words.length > 1) return { text: 'Usage: npm run compatibility [-- <commit>]\n', exitCode: 2 };
  const git = gitIn(folder);
  try {
    const { commit, reason } = comparedCommit(git, words[0]);
    if (commit === undefined) return { text: `${reason}\n`, exitCode: 0 };
    const comparison = compareVersions(atCommit(git, commit), workingTree(folder));
    return {
      text: `Compared with ${commit.slice(0, 10)}, ${reason}.\n\n${reportOf(comparison)}`,
      exitCode: comparison.undeclared.length > 0 ? 1 : 0,
    };
  } catch (error) {
    if (!(error instanceof CommitNotFound)) throw error;
    return { text: `${error.message}\n`, exitCode: 2 };
  }
}
