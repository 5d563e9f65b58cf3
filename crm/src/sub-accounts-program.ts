import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { ConsentOfUser } from './commands/sub-accounts.ts';

export function addSubAccounts(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('sub-accounts')
    .description('manage who acts for whom')
    .command('consent')
    .description(
      'let a broker act for a user who has agreed to it; the broker can then add the user, for 7 days',
    )
    .requiredOption('--broker <email|id>')
    .requiredOption('--user <email|id>')
    .action(
      reporting(async (given: ConsentOfUser) =>
        (await import('./commands/sub-accounts.ts')).consent(env, given),
      ),
    );
}
