import { CommanderError } from 'commander';
import { wantsJson } from './command-line.ts';
import { reportFailure } from './failure.ts';
import { printableJson } from './printable.ts';
import { programFor } from './program.ts';
import { Unable } from './system/unable.ts';

/** Runs one command and sets the exit code of the process. */
export async function runCommandLine(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const json = wantsJson(words);
  let help = '';
  const program = programFor(env, {
    writeOut: (text) => process.stdout.write(json ? `${printableJson({ help: text })}\n` : text),
    // Errors are reported below. What remains is the help that is shown if the command is missing.
    writeErr: (text) => {
      help += text;
    },
  });
  try {
    await program.parseAsync([...words]);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (error instanceof CommanderError && error.code === 'commander.help' && !json) {
      process.stderr.write(help);
    } else {
      reportFailure(error, json);
    }
    process.exitCode = isUsage(error) ? 2 : 1;
  }
}

/** Whether the arguments are invalid, so that nothing was done. */
function isUsage(error: unknown): boolean {
  return error instanceof CommanderError || (error instanceof Unable && error.reason === 'Usage');
}
