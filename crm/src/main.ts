import { runCommandLine } from './run-command-line.ts';

await runCommandLine(process.argv, process.env);
