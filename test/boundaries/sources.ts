import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Files by patterns from the project's folder, without tests and what is only there for them. */
export function sources(...patterns: readonly string[]): string[] {
  return filesAt(...patterns).filter((file) => !/\.test\.ts$|\/test\//.test(file));
}

/** Files by patterns from the project's folder, tests among them. */
export function filesAt(...patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: projectFolder }));
  return [...new Set(found)].filter((file) => !file.includes('node_modules')).sort();
}

export const textOf = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');

/** At the beginning of a line, because words of comments and texts are no imports; and calls anywhere. */
const specifiers = [
  /^\s*(?:import|export)\b[^;'"`]*?\bfrom\s*(['"])([^'"\n]+)\1/gm,
  /^\s*import\s*(['"])([^'"\n]+)\1/gm,
  /\b(?:import|require|import\.meta\.resolve)\s*\(\s*(['"`])([^'"`\n]+)\1/g,
];

/** What a file imports, in whatever form: static, for its effects, exported again, typed, or while it runs. */
export function importsOf(file: string): string[] {
  const text = textOf(file);
  return specifiers.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[2] ?? ''));
}

/** Where a relative import leads, from the project's folder. */
export const targetOf = (file: string, specifier: string): string => join(dirname(file), specifier);

/** The workspace a file belongs to: `packages/data`, `services/contacts`, `gateway`. */
export function workspaceOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'packages' || first === 'services' ? `${first}/${second}` : first;
}
