import { fileURLToPath } from 'node:url';
import { installIfMissing } from './install.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

installIfMissing(folder, process.env);
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(folder, process.argv.slice(2), process.env);
