import type { Environment } from 'vitest/runtime';
import { processEnding } from './process-ending.ts';

/** The Node environment, plus the cleanup of what outlives a test file. */
export default {
  name: 'crm',
  viteEnvironment: 'ssr',
  setup: () => ({ teardown: () => processEnding().disposeAsync() }),
} satisfies Environment;
