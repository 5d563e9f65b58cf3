import { fileURLToPath } from 'node:url';
import { runGate } from './run-gate.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { text, exitCode } = runGate(root, process.argv.slice(2));
(exitCode === 0 ? process.stdout : process.stderr).write(text);
process.exitCode = exitCode;
