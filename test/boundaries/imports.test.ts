import { describe, expect, it } from 'vitest';
import { loadedModules } from './loaded-modules.ts';
import { allSources, isRelative, manifestOf, packageOf, sources, targetOf, workspaceOf } from './sources.ts';
import { importsOf } from './syntax.ts';

/** The imports of files for which the condition holds. A pattern that matches no file would never fail, so it does. */
function importsIn(
  files: readonly string[],
  isWrong: (specifier: string, file: string) => boolean,
): readonly string[] {
  expect(files).not.toEqual([]);
  return files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => isWrong(specifier, file))
      .map((specifier) => `${file} → ${specifier}`),
  );
}

const own = /^\.{1,2}\//;
const contracts = /^@crm\/[\w-]+\/api$/;

/** What package.json cannot express: kinds of files, and packages without Node. */
const rules: readonly { files: string; may?: readonly RegExp[]; mayNot?: readonly RegExp[] }[] = [
  { files: 'packages/{contract,events,merge-fields,query,recurrence,sdk}/src/**/*.ts', mayNot: [/^node:/] },
  { files: 'packages/contacts-csv/src/**/*.ts', mayNot: [/^@crm\/(?!contract$)/] },
  // The command and the gateway load these, but not what verifies tokens.
  { files: 'packages/auth/src/secret-prefixes.ts', may: [] },
  { files: 'packages/sdk/src/**/*.ts', may: [own, /^zod$/, /^@crm\/contract$/, contracts] },
  { files: 'services/*/src/**/*.api.ts', may: [/^zod$/, /^@crm\/contract$/, contracts, /^\..*\.api\.ts$/] },
  { files: 'services/*/src/api.ts', may: [/^@crm\/(contract|events)$/, /^\.\/.*\.api\.ts$/] },
  { files: 'services/*/src/**/*.policy.ts', may: [/^@crm\/auth$/] },
  {
    files: 'services/*/src/**/*.entity.ts',
    may: [/^node:/, /^@mikro-orm\/core$/, /^@crm\/(contract|data)$/, /^\..*\.(api|policy|entity)\.ts$/],
  },
  { files: 'services/*/src/**/*.queries.ts', mayNot: [/\.(entity|handlers)\.ts$/, /^@mikro-orm\//] },
  { files: 'services/*/src/**/*.ts', mayNot: [/^@mikro-orm\/postgresql$/] },
  {
    files: 'gateway/src/**/*.ts',
    may: [own, /^(?!@crm\/)/, /^@crm\/(client|contract|html|query|service\/process|telemetry)$/, contracts],
  },
];

describe('imports', () => {
  it('are declared in the package.json of their workspace', () => {
    const strays = importsIn(sources(...allSources), (specifier, file) => {
      if (isRelative(specifier) || specifier.startsWith('node:')) return false;
      const { dependencies = {}, devDependencies = {} } = manifestOf(workspaceOf(file));
      // Only tests use these, whose packages are not installed in production.
      const isForTests = ['packages/testing', 'packages/other-team'].includes(workspaceOf(file));
      const forTests = isForTests ? devDependencies : {};
      return !(packageOf(specifier) in { ...dependencies, ...forTests });
    });
    expect(strays).toEqual([]);
  });

  it.each(rules)('of $files follow their rule', ({ files, may, mayNot = [] }) => {
    const strays = importsIn(sources(files), (specifier) =>
      may ? !may.some((one) => one.test(specifier)) : mayNot.some((one) => one.test(specifier)),
    );
    expect(strays).toEqual([]);
  });

  it('by path never leave their workspace', () => {
    const strays = importsIn(
      sources(...allSources),
      (specifier, file) =>
        isRelative(specifier) && workspaceOf(targetOf(file, specifier)) !== workspaceOf(file),
    );
    expect(strays).toEqual([]);
  });

  it('of handlers are only in the index of a service', () => {
    const files = sources('services/*/src/**/*.ts');
    const isHandlers = (specifier: string) => specifier.endsWith('.handlers.ts');
    const isIndex = (file: string) => /^services\/[\w-]+\/src\/index\.ts$/.test(file);
    expect(importsIn(files.filter(isIndex), isHandlers)).not.toEqual([]);
    expect(
      importsIn(
        files.filter((file) => !isIndex(file)),
        isHandlers,
      ),
    ).toEqual([]);
  });

  it('of the NATS client are only in messaging', () => {
    const isMessaging = (file: string) => workspaceOf(file) === 'packages/messaging';
    const isNats = (specifier: string) => specifier.startsWith('@nats-io/');
    const files = sources(...allSources);
    expect(importsIn(files.filter(isMessaging), isNats)).not.toEqual([]);
    expect(
      importsIn(
        files.filter((file) => !isMessaging(file)),
        isNats,
      ),
    ).toEqual([]);
  });

  it('of test support are only in tests', () => {
    const files = sources(...allSources).filter((file) => workspaceOf(file) !== 'packages/testing');
    const forTests = /^(@crm\/testing|vitest|fast-check|testcontainers)(\/|$)|\/test\/|\.test\.ts$/;
    expect(importsIn(files, (specifier) => forTests.test(specifier))).toEqual([]);
  });

  it('of a main file do not exist', () => {
    expect(sources('services/*/src/main.ts', 'gateway/src/main.ts').length).toBeGreaterThan(2);
    expect(importsIn(sources(...allSources), (specifier) => /(^|\/)main\.ts$/.test(specifier))).toEqual([]);
  });
});

describe('a process that only needs contracts', () => {
  const server = /node_modules\/(@mikro-orm|kysely|pg|@nats-io)\/|packages\/(data|messaging)\/src/;

  it('loads no ORM, database driver or broker for the gateway', () => {
    const loaded = loadedModules('gateway', './src/index.ts', '@crm/service/process');
    expect(loaded.filter((url) => url.includes('/gateway/src/'))).not.toEqual([]);
    expect(loaded.filter((url) => server.test(url))).toEqual([]);
    expect(
      loaded.filter((url) => /services\/.*(entity|handlers|queries|policy|store)\.ts/.test(url)),
    ).toEqual([]);
  });

  it('loads nothing but itself for the SDK, which needs no more than types of the contracts', () => {
    const loaded = loadedModules('packages/sdk', './src/index.ts');
    expect(loaded).not.toEqual([]);
    expect(loaded.filter((url) => !url.includes('/packages/sdk/src/'))).toEqual([]);
  });

  it('loads no server code for the client', () => {
    const loaded = loadedModules('packages/client', './src/index.ts');
    expect(loaded.filter((url) => url.includes('/packages/client/src/'))).not.toEqual([]);
    expect(loaded.filter((url) => server.test(url) || /fastify|packages\/service/.test(url))).toEqual([]);
  });
});
