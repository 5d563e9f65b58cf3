import { execFileSync, spawnSync } from 'node:child_process';

/** The user and group that a server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`, which is created if it does not exist. Other users
 * run it as themselves.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = existingAccount() ?? createdAccount();
  if (account) return account;
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" does not exist and could not be created. Create that user, run as a user other than root, or set DATABASE_URL.',
  );
}

/** Whether the account can enter the folder or execute the file, including all folders above it. */
export function canReach(account: Account, path: string): boolean {
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0;
}

function existingAccount(): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((which) => spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function createdAccount(): Account | undefined {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    // Whatever the reason, the caller reports the alternatives.
    return undefined;
  }
  return existingAccount();
}
