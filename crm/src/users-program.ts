import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { NewUser } from './commands/users.ts';

export function addUsers(program: Command, env: NodeJS.ProcessEnv) {
  const users = program.command('users').description('manage user accounts');
  users
    .command('create')
    .description('create an account')
    .requiredOption('--email <address>', 'the address to sign in with')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--phone <number>', 'such as +14155552671 or (415) 555-2671; alerts are sent to it')
    .option('--timezone <zone>', 'such as Europe/Zurich')
    .option(
      '--password <text>',
      'at least 8 characters; prompted for, or read from standard input, if omitted',
    )
    .option('--invite', 'send the user a link to choose the password')
    .option('--broker', 'create a broker instead of an agent')
    .option(
      '--sub-account-of <email|id>',
      'the broker for whom the account is made, who can add it as a sub-account',
    )
    .action(
      reporting(async (given: NewUser) => (await import('./commands/users.ts')).createUser(env, given)),
    );
  users
    .command('list')
    .description('list accounts')
    .action(reporting(async () => (await import('./commands/users.ts')).listUsers(env)));
  addAccounts(users, env);
}

function addAccounts(users: Command, env: NodeJS.ProcessEnv) {
  const load = () => import('./commands/users.ts');
  users
    .command('disable')
    .description('disable an account with its applications, revoke its tokens and remove its sub-accounts')
    .argument('<email|id>')
    .action(reporting(async (named: string) => (await load()).disableUser(env, named)));
  users
    .command('enable')
    .description('enable a disabled account; its access tokens stay revoked')
    .argument('<email|id>')
    .action(reporting(async (named: string) => (await load()).enableUser(env, named)));
  users
    .command('password')
    .description('set a password and revoke the access tokens')
    .argument('<email|id>')
    .option(
      '--password <text>',
      'at least 8 characters; prompted for, or read from standard input, if omitted',
    )
    .action(
      reporting(async (named: string, given: { readonly password?: string }) =>
        (await load()).changePassword(env, named, given),
      ),
    );
  users
    .command('phone')
    .description('set the number that alerts are sent to, without a confirmation; "none" removes it')
    .argument('<email|id>')
    .argument('<number|none>')
    .action(
      reporting(async (named: string, number: string) => (await load()).changePhone(env, named, number)),
    );
  users
    .command('broker')
    .description('make a user a broker; "off" also removes all sub-accounts')
    .argument('<email|id>')
    .argument('<on|off>')
    .action(reporting(async (named: string, word: string) => (await load()).changeBroker(env, named, word)));
}
