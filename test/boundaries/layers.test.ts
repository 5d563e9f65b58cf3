import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, type Edge, graphOf } from './cycles.ts';
import {
  allSources,
  isRelative,
  manifestOf,
  packageOf,
  repositoryFiles,
  sources,
  targetOf,
  workspaceOf,
} from './sources.ts';
import { importsOf } from './syntax.ts';

/** The services, each after those that it may call. */
const services = ['identity', 'contacts', 'scheduling', 'campaigns-templates', 'leads-routing'];

const workspaces = repositoryFiles(/^(packages\/[^/]+|services\/[^/]+|gateway|crm|test)\/package\.json$/).map(
  dirname,
);
const workspaceByPackage = new Map(workspaces.map((workspace) => [manifestOf(workspace).name, workspace]));

const imported = sources(...allSources).flatMap((file) =>
  importsOf(file).flatMap((specifier): (Edge & { readonly specifier: string })[] => {
    const to = isRelative(specifier)
      ? workspaceOf(targetOf(file, specifier))
      : workspaceByPackage.get(packageOf(specifier));
    const from = workspaceOf(file);
    return to === undefined || to === from
      ? []
      : [{ from, to, specifier, example: `${file} → ${specifier}` }];
  }),
);

const declared = workspaces.flatMap((from) =>
  Object.keys(manifestOf(from).dependencies ?? {}).flatMap((name): Edge[] => {
    const to = workspaceByPackage.get(name);
    return to === undefined ? [] : [{ from, to, example: `${from}/package.json` }];
  }),
);

/** The workspaces that import one, by the examples of their imports. */
function importersOf(workspace: string, except: readonly string[] = []): string[] {
  return [...imported, ...declared]
    .filter(({ from, to }) => to === workspace && !except.includes(from))
    .map(({ example }) => example);
}

describe('imports between workspaces', () => {
  it('form no cycle', () => {
    expect(imported.length).toBeGreaterThan(100);
    expect(cyclesIn(graphOf([...imported, ...declared]))).toEqual([]);
  });

  it('never go up: nothing imports the tests, only they import crm, and only these two the gateway', () => {
    expect(importersOf('crm', ['test'])).toEqual([]);
    expect(importersOf('test')).toEqual([]);
    expect(importersOf('gateway', ['crm', 'test'])).toEqual([]);
    expect(importersOf('gateway')).not.toEqual([]);
  });

  it('of packages are of no service, but for the contracts that clients need', () => {
    const down = imported.filter(
      ({ from, to }) => from.startsWith('packages/') && to.startsWith('services/'),
    );
    expect(down).not.toEqual([]);
    expect(down.filter(({ specifier }) => !specifier.endsWith('/api'))).toEqual([]);
  });

  it('of services are of the contracts of services below', () => {
    const names = services.map((name) => `services/${name}`);
    expect(workspaces.filter((workspace) => workspace.startsWith('services/')).toSorted()).toEqual(
      names.toSorted(),
    );
    const between = imported.filter(({ from, to }) => names.includes(from) && names.includes(to));
    expect(between).not.toEqual([]);
    const isAllowed = ({ from, to, specifier }: (typeof between)[number]) =>
      names.indexOf(to) < names.indexOf(from) && specifier.endsWith('/api');
    expect(between.filter((edge) => !isAllowed(edge)).map(({ example }) => example)).toEqual([]);
  });
});

/** Files at the root of the sources that put its folders together. */
const assembly = /^(index|api|store|subscriptions|main)\.ts$/;

/** The folder below `src` that a file is in, or a file at the root itself. */
const partOf = (file: string): string => file.split('/src/')[1]?.split('/')[0] ?? file;

const isFolder = (part: string): boolean => !part.endsWith('.ts');

describe('imports between folders', () => {
  const withFolders = workspaces.filter((workspace) => sources(`${workspace}/src/*/*.ts`).length > 0);

  it.each(withFolders)('form no cycle in %s', (workspace) => {
    const edges = sources(`${workspace}/src/**/*.ts`).flatMap((file) =>
      importsOf(file)
        .filter(isRelative)
        .map((specifier) => ({
          from: partOf(file),
          to: partOf(targetOf(file, specifier)),
          example: `${file} → ${specifier}`,
        })),
    );
    const counted = edges.filter(
      ({ from, to }) => (isFolder(from) || isFolder(to)) && !assembly.test(from) && !assembly.test(to),
    );
    expect(edges).not.toEqual([]);
    expect(cyclesIn(graphOf(counted))).toEqual([]);
  });
});

describe('imports between files', () => {
  it.each(workspaces)('form no cycle in %s', (workspace) => {
    const edges = sources(`${workspace}/src/**/*.ts`).flatMap((file) =>
      importsOf(file)
        .filter(isRelative)
        .map((specifier) => ({ from: file, to: targetOf(file, specifier), example: specifier })),
    );
    expect(cyclesIn(graphOf(edges))).toEqual([]);
  });
});
