import type { Command } from 'commander';
import { reporting } from './command-line.ts';

/** The commands for the links under which calendar programs read a user's tasks. */
export function addCalendars(program: Command, env: NodeJS.ProcessEnv) {
  const calendars = program.command('calendars').description('links by which calendar programs read tasks');
  const load = () => import('./commands/calendars.ts');
  calendars
    .command('create')
    .description('make the link of a user’s calendar and show it this once; the one before works no more')
    .argument('<email|id>')
    .action(reporting(async (user: string) => (await load()).createCalendar(env, user)));
  calendars
    .command('revoke')
    .description('make the link of a user’s calendar stop working')
    .argument('<email|id>')
    .action(reporting(async (user: string) => (await load()).revokeCalendar(env, user)));
}
