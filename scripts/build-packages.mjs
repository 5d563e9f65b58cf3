// Compiles the packages that others can install into `dist`, a folder each, ready for `npm pack` and `npm publish`: those
// whose package.json has `publishConfig.exports`. The system itself runs from the sources and never uses `dist`.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'node_modules/.cache/crm-build');

const manifests = new Map(
  globSync('{packages,services}/*/package.json', { cwd: root }).map((file) => [dirname(file), read(file)]),
);
const published = [...manifests].filter(([, { publishConfig }]) => publishConfig?.exports);
const versions = new Map(published.map(([, { name, version }]) => [name, version]));

const entries = new Map(
  published.flatMap(([folder, { name, publishConfig }]) =>
    Object.entries(publishConfig.exports)
      .filter(([, file]) => file.endsWith('.ts'))
      .map(([path, file]) => [name + path.slice(1), join(root, folder, file)]),
  ),
);

rmSync(join(root, 'dist'), { recursive: true, force: true });
compile();
for (const [folder, manifest] of published) assemble(folder, manifest);

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** All at once, because they share most of what they are compiled from. */
function compile() {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: output,
    // Found in node_modules, a file would be one of others and not compiled.
    paths: Object.fromEntries([...entries].map(([name, file]) => [name, [file]])),
    // They also run in browsers and workers, so they use nothing of Node.
    types: [],
    lib: ['esnext', 'dom', 'dom.iterable'],
  };
  const config = join(output, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions,
      files: [...entries.values()],
    }),
  );
  const { status } = spawnSync(execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
    stdio: 'inherit',
  });
  if (status !== 0) exit(1);
}

function assemble(folder, manifest) {
  const dist = join(root, 'dist', manifest.name.replace('@crm/', ''));
  cpSync(join(output, folder, 'src'), dist, { recursive: true });
  const used = new Set();
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
    const path = join(dist, file);
    // The compiler leaves the endings in declarations as they are in the sources.
    const text = readFileSync(path, 'utf8').replace(
      /((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(["'])/g,
      '$1.js$2',
    );
    writeFileSync(path, text);
    for (const [, name] of text.matchAll(
      /(?:from |import\()["']((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?["']/g,
    )) {
      used.add(name);
    }
  }
  const { exports } = manifest.publishConfig;
  for (const file of Object.values(exports).filter((one) => !one.endsWith('.ts'))) {
    cpSync(join(root, folder, file), join(dist, file));
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifestOf(manifest, [...used]), null, 2)}\n`);
}

function manifestOf({ name, version, description, type, dependencies, publishConfig }, used) {
  return {
    name,
    version,
    description,
    type,
    license: read('package.json').license,
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(publishConfig.exports).map(([path, file]) => [path, compiled(file)]),
    ),
    dependencies: Object.fromEntries(
      used
        .filter((one) => one !== name)
        .sort()
        .map((one) => [one, rangeOf(one, name, dependencies)]),
    ),
  };
}

function compiled(file) {
  if (!file.endsWith('.ts')) return file;
  const path = file.replace(/^\.\/src\//, './').replace(/\.ts$/, '');
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

/** A package that is installed beside others shares what they share. */
function rangeOf(used, name, dependencies) {
  const version = versions.get(used) ?? dependencies[used];
  if (version === undefined || version === '*')
    throw new Error(`${name} uses ${used}, which is not published.`);
  return `^${version}`;
}
