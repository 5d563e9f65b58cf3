import type { Command } from 'commander';
import { reporting } from './command-line.ts';

/** The commands for the secret links to users' open tasks. */
export function addCalendars(program: Command, env: NodeJS.ProcessEnv) {
  const calendars = program.command('calendars').description("manage the secret links to users' open tasks");
  const load = () => import('./commands/calendars.ts');
  calendars
    .command('create')
    .description('create the link of a user and show it once; a previous link is revoked')
    .argument('<email|id>')
    .action(reporting(async (user: string) => (await load()).createCalendar(env, user)));
  calendars
    .command('revoke')
    .description('revoke the link of a user')
    .argument('<email|id>')
    .action(reporting(async (user: string) => (await load()).revokeCalendar(env, user)));
}
