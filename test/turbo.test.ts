import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesAt, projectFolder, targetOf, textOf, workspaceOf } from './boundaries/sources.ts';
import { importsOf } from './boundaries/syntax.ts';

const own = /^\.{1,2}\//;
const workspaces = filesAt(
  '{packages,services}/*/package.json',
  '{crm,gateway,test,deploy/kubernetes}/package.json',
).map(workspaceOf);
const nameOf = (workspace: string): string => JSON.parse(textOf(`${workspace}/package.json`)).name;

/** Test files, and what is only there for them. */
const ofTests = [
  '{packages,services,crm,gateway,test}/**/*.test.ts',
  '{packages,services}/*/test/**/*.ts',
  'crm/test/**/*.ts',
  'packages/testing/src/**/*.ts',
  'test/**/*.ts',
  'vitest.config.ts',
];

/** What a file imports, and what it is given: the servers of a run. */
const usesOf = (file: string): string[] => [
  ...importsOf(file),
  ...(/\binject\('(postgresUrl|natsUrl)'\)/.test(textOf(file)) ? ['@crm/testing'] : []),
];

/** Those that are read from the environment, one by one or several at once. */
const variablesOf = (text: string): string[] => [
  ...[...text.matchAll(/\bprocess\.env\.(\w+)/g)].map((match) => match[1] ?? ''),
  ...[...text.matchAll(/\{([^{}]*)\} = process\.env\b/g)].flatMap((match) => match[1]?.match(/\w+/g) ?? []),
];

interface Task {
  readonly taskId: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly dependencies: readonly string[];
  readonly resolvedTaskDefinition: {
    readonly env: readonly string[];
    readonly passThroughEnv: readonly string[];
  };
}

/** The tests that turbo would run, by their workspaces' names. */
function plannedTests(...words: readonly string[]): ReadonlyMap<string, Task> {
  const { status, stdout, stderr } = spawnSync(
    join(projectFolder, 'node_modules/.bin/turbo'),
    ['run', 'test', '--dry=json', ...words],
    { cwd: projectFolder, encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } },
  );
  if (status !== 0) throw new Error(stderr);
  const { tasks } = JSON.parse(stdout) as { tasks: readonly Task[] };
  const tests = tasks.filter(({ taskId }) => taskId.endsWith('#test'));
  return new Map(tests.map((task) => [task.taskId.replace('#test', ''), task]));
}

describe('the turbo cache of tests', () => {
  const planned = plannedTests();

  it('depends on every variable that tests read, and on no others', () => {
    const read = filesAt(...ofTests).flatMap((file) => variablesOf(textOf(file)));
    expect(read).toContain('TEST_SEED');
    // Turbo gives the first two to every task, and the second is the key of the entry; vitest.config.ts gives the next two, and
    // runs of faults give the others to their processes.
    const given = ['PATH', 'TURBO_HASH', 'NODE_COMPILE_CACHE', 'TMPDIR', 'CLOCK_SKEW_MS', 'CRASH_CHANCE'];
    const wanted = [...new Set(read)].filter((name) => !given.includes(name)).sort();
    for (const [name, { resolvedTaskDefinition }] of planned) {
      expect({ name, env: resolvedTaskDefinition.env }).toEqual({ name, env: wanted });
      // Read by testcontainers. It tells where Docker is, and not what is tested.
      expect(resolvedTaskDefinition.passThroughEnv).toEqual(['DOCKER_HOST']);
    }
  });

  it('has an entry for every workspace', () => {
    expect([...planned.keys()].sort()).toEqual(workspaces.map(nameOf).sort());
  });

  it('depends on every workspace that a file of another imports', () => {
    const used = workspaces.flatMap((workspace) => {
      const { dependencies, devDependencies } = JSON.parse(textOf(`${workspace}/package.json`));
      const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
      const files = filesAt(`${workspace}/**/*.ts`);
      expect(files, workspace).not.toEqual([]);
      return files.flatMap((file) => usesOf(file).map((target) => ({ file, target, workspace, declared })));
    });
    const byPath = used.filter(
      ({ file, target, workspace }) => own.test(target) && workspaceOf(targetOf(file, target)) !== workspace,
    );
    expect(byPath.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
    const undeclared = used.filter(({ target, workspace, declared }) => {
      const [name] = /^@crm\/[\w-]+/.exec(target) ?? [];
      return name && name !== nameOf(workspace) && !declared.has(name);
    });
    expect(undeclared.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('depends for the system tests on every workspace, because they read the sources of all', () => {
    const others = workspaces.map(nameOf).filter((name) => name !== '@crm/system-tests');
    const seen = new Set<string>();
    const add = (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const task of planned.get(name)?.dependencies ?? []) add(task.replace('#check', ''));
    };
    add('@crm/system-tests');
    expect([...seen].filter((name) => name !== '@crm/system-tests').sort()).toEqual(others.sort());
  });

  it('is lost with a change of a service for the service and its dependents alone', () => {
    expect([...plannedTests('--filter=...@crm/scheduling').keys()].sort()).toEqual([
      '@crm/campaigns-templates',
      '@crm/crm',
      '@crm/gateway',
      '@crm/leads-routing',
      '@crm/other-team',
      '@crm/scheduling',
      '@crm/sdk',
      '@crm/system-tests',
    ]);
  });
});
