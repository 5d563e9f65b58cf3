import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = new URL('../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
const isThere = (path: string) => existsSync(new URL(path, root));
const texts = z.record(z.string(), z.string());
const { scripts, optionalDependencies } = z
  .object({ scripts: texts, optionalDependencies: texts })
  .parse(JSON.parse(textOf('package.json')));

describe('the workflow', () => {
  const Step = z.object({
    uses: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    run: z.string().optional(),
  });
  const Job = z.object({ env: z.record(z.string(), z.string()), steps: z.array(Step) });
  const { jobs } = z
    .object({ jobs: z.record(z.string(), Job) })
    .parse(parse(textOf('.github/workflows/ci.yml')));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs what .ci/run runs', () => {
    const commands = [...textOf('.ci/run').matchAll(/^npm (?:run \S+|test)/gm)].map(([command]) => command);
    expect(commands).toEqual(['npm run check', 'npm test']);
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(commands);
  });

  it('tests both shapes, with the history that changes are compared with', () => {
    for (const { env } of Object.values(jobs)) expect(env).toMatchObject({ TEST_SHAPES: 'both' });
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 });
  });

  it('uses actions that nobody can replace', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });
});

describe('the Node of the project', () => {
  it('is the same for version managers, for packages and in the image', () => {
    const version = textOf('.nvmrc').trim();
    const programs = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(programs).toHaveLength(5);
    for (const [name, pinned] of programs) expect(pinned, name).toBe(version);
    expect(textOf('Dockerfile')).toContain(`node:${version}-`);
  });
});

describe('the packages', () => {
  const Entry = z.looseObject({ link: z.boolean().optional(), integrity: z.string().optional() });
  const { packages } = z
    .object({ packages: z.record(z.string(), Entry) })
    .parse(JSON.parse(textOf('package-lock.json')));

  it('are exactly those of the lock file, by their hashes', () => {
    const installed = Object.entries(packages).filter(
      ([path, { link }]) => path.startsWith('node_modules/') && !link,
    );
    expect(installed.length).toBeGreaterThan(100);
    const without = installed.filter(([, { integrity = '' }]) => !/^sha512-.{86}==$/.test(integrity));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('run no scripts of their own when they are installed', () => {
    expect(textOf('scripts/install.mjs')).toContain("'--ignore-scripts'");
    expect(textOf('Dockerfile')).toMatch(/npm ci [^\n]*--ignore-scripts/);
    expect(packages).not.toHaveProperty(['node_modules/node']);
  });
});

describe('the owners of code', () => {
  const lines = textOf('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

  it('are known for everything, and for each service by a line of its own', () => {
    expect(lines[0]?.[0]).toBe('*');
    for (const service of readdirSync(new URL('services', root))) {
      expect(lines).toContainEqual([`/services/${service}/`, `@crm/${service}`]);
      expect(lines).toContainEqual([`/packages/events/src/${service}.ts`, `@crm/${service}`]);
    }
  });

  it('name only paths that exist', () => {
    for (const [path = '', ...owners] of lines) {
      if (path !== '*') expect(isThere(`.${path}`), path).toBe(true);
      expect(owners.length, path).toBeGreaterThan(0);
    }
  });
});

describe('the recipes for debugging', () => {
  it('start only files that exist', () => {
    const { configurations } = JSON.parse(textOf('.vscode/launch.json'));
    const files = JSON.stringify(configurations).matchAll(/\$\{workspaceFolder\}\/([^"]+)/g);
    const started = [...files].map(([, file = '']) => file);
    expect(new Set(started).size).toBe(3);
    for (const file of started) expect(isThere(file), file).toBe(true);
  });
});

describe('the documents for people', () => {
  it.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'])(
    'name in %s only commands and files that exist',
    (file) => {
      const text = textOf(file);
      const commands = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
      expect(commands.filter((name) => !(name in scripts))).toEqual([]);
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
      expect(links.filter((path) => !isThere(path))).toEqual([]);
    },
  );

  it('tell changes by release, under the headings that are known', () => {
    const headings = [...textOf('CHANGELOG.md').matchAll(/^##+ .*$/gm)].map(([heading]) => heading);
    expect(headings[0]).toBe('## [Unreleased]');
    const release = /^## \[(Unreleased\]|\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2})$/;
    const kind = /^### (Added|Changed|Deprecated|Removed|Fixed|Security|Breaking changes)$/;
    expect(headings.filter((heading) => !release.test(heading) && !kind.test(heading))).toEqual([]);
  });
});
