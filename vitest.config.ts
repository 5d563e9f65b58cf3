import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Not by folder: the patterns count from the folder of the run, which is a workspace with `--dir .`.
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.crm/**', '**/.turbo/**'],
    globalSetup: fileURLToPath(new URL('packages/testing/src/servers.ts', import.meta.url)),
    // A process for each file: what a file does to time zone, signals or its heap ends with it.
    pool: 'forks',
    // The servers under test want their share of the machine.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC', NODE_ENV: 'test' },
    // Set, because vitest picks a reporter without the counts in some environments.
    reporters: ['default'],
  },
});
