import { CommanderError } from 'commander';
import { ReportOfFailure, wantsJson } from './command-line.ts';
import { failureText } from './failure.ts';
import { printableJson } from './printable.ts';
import { programFor } from './program.ts';
import { Unable } from './system/unable.ts';

/** Where a command prints its report or help, and its errors. */
export interface Printer {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Runs one command and returns its exit code: 1 if it failed, 2 if it was called incorrectly, so that nothing was done. */
export async function runCommandLine(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  print: Printer,
): Promise<number> {
  const json = wantsJson(words);
  let out = '';
  let help = '';
  const program = programFor(env, {
    writeOut: (text) => {
      out += text;
    },
    // Errors are printed below. The rest is the help, which is shown if the command is missing.
    writeErr: (text) => {
      help += text;
    },
  });
  try {
    await program.parseAsync([...words]);
    print.out(out);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      print.out(json ? `${printableJson({ help: out })}\n` : out);
      return 0;
    }
    print.out(out);
    if (error instanceof ReportOfFailure) return 1;
    const isHelp = error instanceof CommanderError && error.code === 'commander.help' && !json;
    print.error(isHelp ? help : failureText(error, json));
    return isUsage(error) ? 2 : 1;
  }
}

function isUsage(error: unknown): boolean {
  return error instanceof CommanderError || (error instanceof Unable && error.reason === 'Usage');
}
