import { fileURLToPath } from 'node:url';

/**
 * Where Node caches compiled sources, unless NODE_COMPILE_CACHE is set. The cache halves the start time of a process. A changed
 * source is compiled again. Write access to it is as powerful as write access to the sources.
 */
export const compileCacheFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/compiled', import.meta.url),
);
