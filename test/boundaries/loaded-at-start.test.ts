import { describe, expect, it } from 'vitest';
import { loadedModules } from './loaded-modules.ts';
import { textOf } from './sources.ts';

/** The folder of a package, as the lock file names it. */
const folderIn = (url: string) => /node_modules\/(.*\/node_modules\/)?(@[^/]+\/)?[^/]+/.exec(url)?.[0];

/** The folders of the packages that Node loads with some modules. */
function foldersOf(folder: string, ...specifiers: readonly string[]): ReadonlySet<string> {
  const loaded = loadedModules(folder, ...specifiers);
  expect(loaded.length).toBeGreaterThan(100);
  return new Set(loaded.flatMap((url) => folderIn(url) ?? []));
}

const nameOf = (folder: string) => folder.replace(/.*node_modules\//, '');

/** The names of these packages that match. */
const amongst = (folders: ReadonlySet<string>, names: RegExp) =>
  [...folders].map(nameOf).filter((name) => names.test(name));

/** Everything that runs the system in one process, without what a configuration asks for. */
const parts = ['./src/start/start.ts', './src/start/one-process.ts', '@crm/local-carriers'];
const system = foldersOf('crm', ...parts);

describe('a start', () => {
  it('loads only packages that are installed to run the system', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    expect(packages['node_modules/vitest']?.dev).toBe(true);
    expect([...system].filter((folder) => packages[folder]?.dev)).toEqual([]);
    expect([...system].filter((folder) => !packages[folder])).toEqual([]);
  });

  it('loads nothing that few systems or few requests use', () => {
    const rare =
      /^(@mikro-orm\/migrations|postal-mime|undici|ioredis|yaml|openapi3-ts|ajv|pg-copy-streams|@scalar\/.*|@opentelemetry\/(?!api$).*)$/;
    expect(amongst(system, rare)).toEqual([]);
    expect(amongst(system, /^(zod|pg|fastify)$/)).toHaveLength(3);
  });

  it('finds the same modules where earlier resolutions are remembered', () => {
    const [remember = '', ...found] = loadedModules('crm', './src/system/remember-resolutions.js', ...parts);
    expect(remember).toMatch(/remember-resolutions\.js$/);
    expect(found).toEqual(loadedModules('crm', ...parts));
  });

  it('of a service loads no mail client', () => {
    for (const name of ['identity', 'scheduling', 'leads-routing']) {
      expect([name, amongst(foldersOf(`services/${name}`, './src/index.ts'), /^nodemailer$/)]).toEqual([
        name,
        [],
      ]);
    }
  });

  it('of several processes loads no service, ORM, broker or HTTP server in the one that starts them', () => {
    const supervisor = foldersOf('crm', './src/start/start.ts', './src/start/processes.ts');
    expect(amongst(supervisor, /^(@mikro-orm\/.*|kysely|fastify|undici|@nats-io\/.*)$/)).toEqual([]);
    expect(amongst(supervisor, /^(zod|pg)$/)).toHaveLength(2);
  });
});
