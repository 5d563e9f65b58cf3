import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** The sources of every workspace except the system tests. */
export const allSources = [
  'packages/*/src/**/*.ts',
  'services/*/src/**/*.ts',
  'gateway/src/**/*.ts',
  'crm/src/**/*.ts',
];

/** Files by patterns relative to the project folder, without tests and their support. */
export function sources(...patterns: readonly string[]): string[] {
  return filesAt(...patterns).filter((file) => !/\.test\.ts$|\/test\//.test(file));
}

/** Files by patterns from the project's folder, tests among them. */
export function filesAt(...patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: projectFolder }));
  return [...new Set(found)].filter((file) => !file.includes('node_modules')).sort();
}

/** Files of the repository whose names match, including new ones that are not committed yet. */
export function repositoryFiles(name: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  const removed = execFileSync('git', ['ls-files', '-z', '--deleted'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  const missing = new Set(removed.split('\0'));
  return [...new Set(listed.split('\0'))].filter((file) => name.test(file) && !missing.has(file)).sort();
}

export const textOf = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');

/** The file that a relative import refers to, relative to the project folder. */
export const targetOf = (file: string, specifier: string): string => join(dirname(file), specifier);

export const isRelative = (specifier: string): boolean => /^\.{1,2}\//.test(specifier);

/** The workspace of a file: `packages/data`, `services/contacts`, `deploy/kubernetes`, `gateway`. */
export function workspaceOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return ['packages', 'services', 'deploy'].includes(first) ? `${first}/${second}` : first;
}

/** The package of an import: `@crm/contacts` for `@crm/contacts/api`. */
export function packageOf(specifier: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export const manifestOf = (workspace: string): Manifest =>
  JSON.parse(textOf(join(workspace, 'package.json'))) as Manifest;
