import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

const git = (...words: string[]) => execFileSync('git', words, { cwd: project, maxBuffer: 2 ** 30 });

/** The last commit that this branch shares with `main`, or on `main` itself the one before. */
export function commitBefore(): string {
  const revision = (...words: string[]) =>
    git(...words)
      .toString()
      .trim();
  const shared = revision('merge-base', 'HEAD', 'main');
  return shared === revision('rev-parse', 'HEAD') ? revision('rev-parse', 'HEAD^') : shared;
}

/** A release in a folder of its own, with the packages that are installed here. */
export function checkOut(commit: string, cleanup: AsyncDisposableStack): string {
  const installed = readFileSync(join(project, 'package-lock.json'), 'utf8');
  const wanted = git('show', `${commit}:package-lock.json`).toString();
  const folder = mkdtempSync(join(tmpdir(), 'crm-release-'));
  cleanup.defer(() => rmSync(folder, { recursive: true }));
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
  if (packagesIn(installed) === packagesIn(wanted)) linkPackages(folder);
  else execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  return folder;
}

/** What a lock file installs from elsewhere. */
function packagesIn(lock: string): string {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { readonly version?: string }> };
  return JSON.stringify(
    Object.entries(packages).flatMap(([path, { version }]) =>
      path.startsWith('node_modules/') && !path.startsWith('node_modules/@crm/') ? [[path, version]] : [],
    ),
  );
}

/** Its own workspaces, and the packages of others from here. */
function linkPackages(folder: string): void {
  const [from, to] = [join(project, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@crm'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@crm') symlinkSync(join(from, name), join(to, name));
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  for (const file of globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: folder },
  )) {
    const { name } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string };
    symlinkSync(join(folder, file, '..'), join(to, name));
  }
}
