import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { Chosen, LetterFilter } from './commands/dead-letters.ts';

/** The commands for events that services could not handle. */
export function addDeadLetters(program: Command, env: NodeJS.ProcessEnv) {
  const letters = program.command('dead-letters').description('manage events that could not be handled');
  const load = () => import('./commands/dead-letters.ts');
  letters
    .command('list')
    .description('list dead letters, oldest first')
    .option('--service <name>', 'only those of this service')
    .option('--after <number>', 'only those of the service with a higher number')
    .option('--limit <count>', 'maximum number', '100')
    .action(reporting(async (filter: LetterFilter) => (await load()).listLetters(env, filter)));
  letters
    .command('show')
    .description('show one in full')
    .argument('<letter>', 'such as scheduling/3')
    .action(reporting(async (letter: string) => (await load()).showLetter(env, letter)));
  letters
    .command('redrive')
    .description('have them handled again now')
    .argument('[letters...]', 'such as scheduling/3')
    .option('--all', 'all of them')
    .option('--service <name>', 'with --all: only those of this service')
    .action(
      reporting(async (named: string[], chosen: Chosen) => (await load()).redriveLetters(env, named, chosen)),
    );
  letters
    .command('discard')
    .description('give them up, so that they are never handled')
    .argument('<letters...>', 'such as scheduling/3')
    .action(reporting(async (named: string[]) => (await load()).discardLetters(env, named)));
}
