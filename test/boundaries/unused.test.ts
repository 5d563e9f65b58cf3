import { expect, it } from 'vitest';
import { filesAt, manifestOf, textOf, workspaceOf } from './sources.ts';
import { unusedExports } from './unused.ts';

const workspaces = filesAt(
  'packages/*/package.json',
  'services/*/package.json',
  '{gateway,crm,test}/package.json',
).map(workspaceOf);
const filesOf = (workspace: string) =>
  filesAt(`${workspace}/**/*.{ts,js,mjs}`).filter((file) => !file.endsWith('.d.ts'));

it('every exported value is imported by another file', () => {
  const folders = [...workspaces, 'bench', 'deploy', 'scripts'];
  const files = folders.flatMap(filesOf).filter((file) => file.endsWith('.ts'));
  const unused = unusedExports([...files, 'vitest.config.ts']);
  // Other teams import what the SDK exports.
  const ofOthers = /^packages\/(sdk\/src\/index\.ts|other-team\/.*)#/;
  expect(unused.filter((name) => !ofOthers.test(name))).toEqual([]);
});

/** Peer dependencies of what is imported. */
const peers = ['react'];

// What another team installs are mostly commands.
it.each(workspaces.filter((workspace) => workspace !== 'packages/other-team'))(
  '%s uses every package that it declares',
  (workspace) => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(workspace);
    const text = filesOf(workspace).map(textOf).join('\n');
    const isNamed = (name: string) => text.includes(`'${name.replace(/^@types\//, '')}`);
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    expect(declared.filter((name) => !isNamed(name) && !peers.includes(name))).toEqual([]);
  },
);
