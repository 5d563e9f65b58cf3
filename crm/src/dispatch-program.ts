import type { Command } from 'commander';
import { reporting } from './command-line.ts';

interface Whom {
  readonly user?: string;
}

/** The commands for the switches that stop sending. */
export function addDispatch(program: Command, env: NodeJS.ProcessEnv) {
  const dispatch = program.command('dispatch').description('stop and resume messages to contacts');
  const load = () => import('./commands/dispatch.ts');
  dispatch
    .command('pause')
    .description('send nothing to contacts from now on, until resumed')
    .option('--user <email|id>', 'only on behalf of this user')
    .action(reporting(async ({ user }: Whom) => (await load()).pauseSending(env, user)));
  dispatch
    .command('resume')
    .description('send again; messages that are more than an hour late are moved to another day')
    .option('--user <email|id>', 'on behalf of this user')
    .action(reporting(async ({ user }: Whom) => (await load()).resumeSending(env, user)));
}
