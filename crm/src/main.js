import { enableCompileCache } from 'node:module';
import './system/remember-resolutions.js';
import { compileCacheFolder } from './system/compile-cache.js';

// Before anything else is loaded. This file and its imports are JavaScript, because Node would otherwise load its TypeScript
// parser, which takes 45 ms and 18 MB and is not needed for cached sources.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('./run-command-line.ts');

process.exitCode = await runCommandLine(process.argv, process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
