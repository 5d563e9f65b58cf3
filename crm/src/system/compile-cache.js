import { fileURLToPath } from 'node:url';

/**
 * Where Node keeps the sources as it has compiled them, unless NODE_COMPILE_CACHE is set. With them a process starts in
 * about half of the time. A source that has changed is compiled again. Whoever may write here may write the sources too.
 */
export const compileCacheFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/compiled', import.meta.url),
);
