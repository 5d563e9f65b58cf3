import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionFor, shells } from './completion.ts';
import { programFor } from './program.ts';

const program = programFor({}, {});

/** The completions that bash offers for the last of the words. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionFor(program, 'bash')}
COMP_WORDS=(crm "$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _crm; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

describe('the shell completion', () => {
  it.each([
    [['us'], ['users']],
    [['users', 'd'], ['disable']],
    [['users', 'list', '--j'], ['--json']],
    [['tokens', 'create', '--user', 'ada@example.com', '--sc'], ['--scope']],
    [['--json', 'dead-letters', 'red'], ['redrive']],
    [['backup', 'x'], []],
  ])('offers for %j what may follow', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it.each(shells)('of %s includes every command and option', (shell) => {
    const script = completionFor(program, shell);
    const all = program.commands.flatMap((command) => [command, ...command.commands]);
    expect(all.length).toBeGreaterThan(40);
    const words = all.flatMap((command) => [
      command.name(),
      ...command.options.map(({ long }) => long ?? ''),
    ]);
    expect(words.filter((word) => !script.includes(word))).toEqual([]);
  });
});
