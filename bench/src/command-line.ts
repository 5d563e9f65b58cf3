import { readOptions, UsageError } from './options.ts';
import { run } from './run.ts';

/** Runs the comparison and answers with the exit code. */
export async function runCommandLine(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('Interrupted.'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await run(folder, readOptions(args), env, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 130;
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}
