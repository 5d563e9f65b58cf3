import { enableCompileCache } from 'node:module';
import './system/remember-resolutions.js';
import { compileCacheFolder } from './system/compile-cache.js';

// Before anything else is loaded. In JavaScript, as is what it imports, because Node would load its reader of TypeScript for it,
// which takes 45 ms and 18 MB, and needs none for sources that it has kept.
enableCompileCache(compileCacheFolder);
const { runCommandLine } = await import('./run-command-line.ts');

process.exitCode = await runCommandLine(process.argv, process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
