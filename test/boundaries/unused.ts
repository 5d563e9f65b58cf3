import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ESTree } from 'rolldown/utils';
import { isRelative, packageOf, projectFolder, targetOf, textOf } from './sources.ts';
import { programOf } from './syntax.ts';

/** An exported name of a file, as `file#name`; all of them as `file#*`. */
type Exported = string;

interface Module {
  readonly exported: readonly Exported[];
  /** What it imports, and what it exports again, with the name by which others know it. */
  readonly used: readonly Exported[];
  readonly passedOn: readonly (readonly [as: Exported, from: Exported])[];
}

/**
 * The exported values that no other one of some files imports, directly or through an index. Types may be exported for
 * the signature of a value.
 */
export function unusedExports(files: readonly string[]): Exported[] {
  const modules = files.map(moduleOf);
  const used = new Set(modules.flatMap((module) => module.used));
  const isUsed = (name: Exported) => used.has(name) || used.has(name.replace(/#.*/, '#*'));
  const passedOn = modules.flatMap((module) => module.passedOn);
  // Until nothing more is known to be used: an index may pass on what another one does.
  for (let before = -1; before !== used.size; ) {
    before = used.size;
    for (const [as, from] of passedOn) if (isUsed(as)) used.add(from);
  }
  const names = [...modules.flatMap(({ exported }) => exported), ...passedOn.map(([as]) => as)];
  return names.filter((name) => !isUsed(name) && !name.endsWith('#*'));
}

function moduleOf(file: string): Module {
  const [exported, used, passedOn]: [Exported[], Exported[], [Exported, Exported][]] = [[], [], []];
  const { body } = programOf(file);
  const add = (source: string, name: string) => {
    const target = fileOf(file, source);
    if (target !== undefined) used.push(`${target}#${name}`);
  };
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration')
      for (const one of statement.specifiers)
        add(statement.source.value, one.type === 'ImportSpecifier' ? nameOf(one.imported) : '*');
    if (statement.type === 'ExportAllDeclaration') add(statement.source.value, '*');
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { source, declaration } = statement;
    const target = source && fileOf(file, source.value);
    for (const { local, exported: as, exportKind } of statement.specifiers)
      if (source && (exportKind === 'type' || statement.exportKind === 'type'))
        add(source.value, nameOf(local));
      else if (target) passedOn.push([`${file}#${nameOf(as)}`, `${target}#${nameOf(local)}`]);
      else exported.push(`${file}#${nameOf(as)}`);
    if (declaration) exported.push(...declaredBy(declaration).map((name) => `${file}#${name}`));
  }
  // What is imported while the program runs may be anything.
  for (const [, source = ''] of textOf(file).matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) add(source, '*');
  return { exported, used, passedOn };
}

const nameOf = (name: ESTree.ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name);

function declaredBy(declaration: ESTree.Declaration): string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => boundBy(id));
  const isValue = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  return isValue && declaration.id ? [declaration.id.name] : [];
}

function boundBy(pattern: ESTree.BindingPattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => (one.type === 'Property' ? boundBy(one.value) : []));
  return [];
}

const folders = new Map<string, string>();

/** The file of the project that an import refers to. */
function fileOf(file: string, source: string): string | undefined {
  if (isRelative(source)) return targetOf(file, source);
  const name = packageOf(source);
  if (!name.startsWith('@crm/')) return undefined;
  const folder = folders.get(name) ?? folderOf(name);
  folders.set(name, folder);
  const { exports = {} } = JSON.parse(textOf(join(folder, 'package.json'))) as {
    exports?: Readonly<Record<string, string>>;
  };
  const path = exports[`.${source.slice(name.length)}`];
  return typeof path === 'string' ? join(folder, path) : undefined;
}

function folderOf(name: string): string {
  const own = name.slice('@crm/'.length);
  const found = [`packages/${own}`, `services/${own}`, `deploy/${own}`, own].find((folder) =>
    existsSync(join(projectFolder, folder, 'package.json')),
  );
  if (found === undefined) throw new Error(`${name} is in no folder.`);
  return found;
}
