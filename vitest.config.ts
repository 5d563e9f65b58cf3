import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileCache } from './packages/testing/src/compile-cache.ts';
import { keepFilesInMemory } from './packages/testing/src/files-in-memory.ts';
import SlowFirst from './packages/testing/src/slow-first.ts';

keepFilesInMemory();

export default defineConfig({
  // Without the condition "development" of Vite, so that tests load the files of packages that the programs load.
  plugins: [
    {
      name: 'crm',
      configResolved({ ssr }) {
        ssr.resolve = { conditions: [] };
      },
    },
  ],
  test: {
    // Not by folder: the patterns count from the folder of the run, which is a workspace with `--dir .`.
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.crm/**', '**/.turbo/**'],
    globalSetup: fileURLToPath(new URL('packages/testing/src/servers.ts', import.meta.url)),
    environment: fileURLToPath(new URL('packages/testing/src/environment.ts', import.meta.url)),
    // One test file after the other in a process: they share what they load, and whole systems.
    pool: 'forks',
    isolate: false,
    // Node loads tests and what they test, as it loads the programs; see docs/decisions/0259.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowFirst },
    // One more than the smallest machine has cores: a test mostly waits for the servers under test, and with more of them
    // whole systems hold each other up.
    maxWorkers: 3,
    // Long, because the machine may be busy with something else, but less than the half minute after which workers look for
    // what is due although nobody has woken them.
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 240_000,
    env: { TZ: 'UTC', NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache() },
    // Set, because vitest picks a reporter without the counts in some environments.
    reporters: ['default'],
  },
});
