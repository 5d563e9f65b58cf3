import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from './system/compile-cache.ts';

// Before anything else is loaded.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('./run-command-line.ts');

process.exitCode = await runCommandLine(process.argv, process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
