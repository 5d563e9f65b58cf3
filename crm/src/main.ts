import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from './system/compile-cache.ts';

// Before anything else is loaded.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('./run-command-line.ts');

await runCommandLine(process.argv, process.env);
