import { execFileSync, spawnSync } from 'node:child_process';

/** The user and the group as whom a server runs. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`, whom we create where there is
 * none. Everybody else runs it as themselves.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = existingAccount() ?? createdAccount();
  if (account) return account;
  throw new Error(
    'PostgreSQL does not run as root, there is no user `postgres`, and creating one failed. Create that user, run as another user than root, or set DATABASE_URL.',
  );
}

/** Whether the account can enter the folder or execute the file, all folders above it included. */
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
    // The caller names the ways out; whichever way creating failed, there is no account.
    return undefined;
  }
  return existingAccount();
}
