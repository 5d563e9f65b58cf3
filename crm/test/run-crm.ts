import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../src/run-command-line.ts';

export const project = fileURLToPath(new URL('../..', import.meta.url));

/** Variables of the test run that would select another system than the one under test. */
const ours = /^(CRM_|PORT$|HOST$|DATABASE_URL|NATS_URL|OPERATOR_TOKEN|LOG_LEVEL|RATE_LIMIT|.*_URL$)/;

/** The environment of a command: that of the machine and the variables of the test, which sends more requests than a client. */
export function environmentWith(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(inherited), RATE_LIMITS: 'off', ...own };
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the project and waits for it to end. */
export async function run(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Outcome> {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: project, env: environmentWith(env) });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** Runs the crm command in a separate process and waits for it to end. */
export function crmProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<Outcome> {
  return run([process.execPath, 'crm/src/main.js', ...words], env, input);
}

/**
 * Runs the crm command and waits for it to end, in this process unless it needs a separate one: `start` handles uncaught errors,
 * and there is only one standard input.
 */
export async function crm(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<Outcome> {
  if (words[0] === 'start' || input !== undefined) return crmProcess(words, env, input);
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(['node', 'crm', ...words], environmentWith(env), {
    out: (text) => {
      printed.stdout += text;
    },
    error: (text) => {
      printed.stderr += text;
    },
  });
  return { code, ...printed };
}

/** Runs the crm command with `--json`, and returns what it prints as a value. */
export async function crmJson(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await crm([...words, '--json'], env);
  return { code, output: JSON.parse(stdout || stderr) };
}
