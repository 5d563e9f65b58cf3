import { Command, type OutputConfiguration } from 'commander';
import { addApps } from './apps-program.ts';
import { addCalendars } from './calendars-program.ts';
import { reporting } from './command-line.ts';
import type { Which } from './commands/dead-letters.ts';
import type { Again } from './commands/outbox.ts';
import type { Membership } from './commands/team-members.ts';
import type { NewToken } from './commands/tokens.ts';
import type { NewUser } from './commands/users.ts';
import { addContacts } from './contacts-program.ts';
import { addDeployment } from './deployment-program.ts';
import type { StartOptions } from './start/start.ts';

/** Every command and option. What a command does is loaded when it is called, so that asking is quick. */
export function programFor(env: NodeJS.ProcessEnv, output: OutputConfiguration): Command {
  const program = new Command('crm')
    .description('Runs the CRM and looks after it.')
    .usage('<command> [options]')
    .option('--json', 'print one JSON object, for programs')
    .addHelpText('after', environmentHelp)
    .configureOutput(output)
    .exitOverride();
  addStart(program, env);
  addUsers(program, env);
  addTokens(program, env);
  addApps(program, env);
  addCalendars(program, env);
  addTeamMembers(program, env);
  addContacts(program, env);
  addMaintenance(program, env);
  addMessages(program, env);
  addDeployment(program, env);
  return program;
}

const environmentHelp = `
Commands talk to the system that runs in .crm (CRM_DATA_DIR), or to the one whose gateway is at CRM_URL.`;

function addStart(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('start')
    .description('run the whole system until Ctrl-C')
    .option('--processes', 'a process for each service instead of one for all')
    .option('--watch', 'with --processes: start a service again when its files change')
    .option('--no-demo', 'leave out the demo agency')
    .action(async (_options: StartOptions, command: Command) => {
      const { start } = await import('./start/start.ts');
      await start(command.optsWithGlobals<StartOptions>(), env);
      process.exit(0);
    });
}

function addUsers(program: Command, env: NodeJS.ProcessEnv) {
  const users = program.command('users').description('people who sign in');
  users
    .command('create')
    .description('add a user')
    .requiredOption('--email <address>', 'what the user signs in with')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--timezone <zone>', 'such as Europe/Zurich')
    .option(
      '--password <text>',
      'at least 8 characters; asked for, or read from standard input, when left out',
    )
    .option('--broker', 'a broker, who has agents, instead of an agent')
    .action(
      reporting(async (given: NewUser) => (await import('./commands/users.ts')).createUser(env, given)),
    );
  users
    .command('list')
    .description('list all users')
    .action(reporting(async () => (await import('./commands/users.ts')).listUsers(env)));
  addAccounts(users, env);
}

function addAccounts(users: Command, env: NodeJS.ProcessEnv) {
  const load = () => import('./commands/users.ts');
  users
    .command('disable')
    .description('end an account for now, with its access tokens and, of a broker, the sub-accounts')
    .argument('<email|id>')
    .action(reporting(async (named: string) => (await load()).disableUser(env, named)));
  users
    .command('enable')
    .description('let a disabled account work again; its access tokens stay revoked')
    .argument('<email|id>')
    .action(reporting(async (named: string) => (await load()).enableUser(env, named)));
  users
    .command('password')
    .description('give a user another password and revoke the access tokens')
    .argument('<email|id>')
    .option(
      '--password <text>',
      'at least 8 characters; asked for, or read from standard input, when left out',
    )
    .action(
      reporting(async (named: string, given: { readonly password?: string }) =>
        (await load()).changePassword(env, named, given),
      ),
    );
  users
    .command('broker')
    .description('make a user a broker, or one who is none any more and lets all sub-accounts go')
    .argument('<email|id>')
    .argument('<on|off>')
    .action(reporting(async (named: string, word: string) => (await load()).changeBroker(env, named, word)));
}

function addTokens(program: Command, env: NodeJS.ProcessEnv) {
  const tokens = program.command('tokens').description('access tokens, which act for a user');
  tokens
    .command('create')
    .description('make an access token and show it this once')
    .requiredOption('--user <email|id>')
    .option('--scope <scope>', 'read or write; write includes read')
    .option('--name <name>', 'what it is for')
    .action(
      reporting(async (given: NewToken) => (await import('./commands/tokens.ts')).createToken(env, given)),
    );
  tokens
    .command('revoke')
    .description('make a token stop working')
    .argument('<token|id>')
    .action(
      reporting(async (named: string) => (await import('./commands/tokens.ts')).revokeToken(env, named)),
    );
}

function addTeamMembers(program: Command, env: NodeJS.ProcessEnv) {
  const members = program.command('team-members').description('invitations to teams, and who is in them');
  members
    .command('invite')
    .description('invite a user to a team; the user accepts or declines')
    .requiredOption('--team <id>')
    .requiredOption('--user <email|id>')
    .action(
      reporting(async (given: Membership) =>
        (await import('./commands/team-members.ts')).inviteToTeam(env, given),
      ),
    );
  members
    .command('remove')
    .description('take a user out of a team, or an invitation back')
    .requiredOption('--team <id>')
    .requiredOption('--user <email|id>')
    .action(
      reporting(async (given: Membership) =>
        (await import('./commands/team-members.ts')).removeFromTeam(env, given),
      ),
    );
}

function addMaintenance(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('migrate')
    .description('bring the database schemas up to date; the system need not run')
    .action(reporting(async () => (await import('./commands/migrate.ts')).migrateAll(env)));
  program
    .command('doctor')
    .description('look at everything: what runs, what is wrong, how to mend it')
    .action(reporting(async () => (await import('./commands/doctor.ts')).doctor(env)));
}

function addMessages(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('outbox')
    .description('events on their way out')
    .command('republish')
    .description('send events again that the broker lost')
    .requiredOption('--service <name>')
    .requiredOption('--since <moment>', 'such as 2026-01-31T12:00:00Z')
    .action(
      reporting(async (given: Again) => (await import('./commands/outbox.ts')).republishOutbox(env, given)),
    );
  const letters = program.command('dead-letters').description('messages that could not be handled');
  letters
    .command('list')
    .description('list them, the oldest first')
    .option('--service <name>', 'only those that this service could not handle')
    .option('--after <number>', 'only later ones')
    .option('--limit <count>', 'at most so many, 100 when left out')
    .action(
      reporting(async (which: Which) => (await import('./commands/dead-letters.ts')).listLetters(env, which)),
    );
  letters
    .command('show')
    .description('show one, whole')
    .argument('<number>')
    .action(
      reporting(async (seq: string) => (await import('./commands/dead-letters.ts')).showLetter(env, seq)),
    );
  letters
    .command('redrive')
    .description('have its consumer hear it again')
    .argument('<number>')
    .action(
      reporting(async (seq: string) => (await import('./commands/dead-letters.ts')).redriveLetter(env, seq)),
    );
}
