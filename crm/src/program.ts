import { Argument, Command, type OutputConfiguration } from 'commander';
import { addApps } from './apps-program.ts';
import { addAudit } from './audit-program.ts';
import { addCalendars } from './calendars-program.ts';
import { reporting } from './command-line.ts';
import type { MessageFilter } from './commands/messages.ts';
import type { Republication } from './commands/outbox.ts';
import type { Membership } from './commands/team-members.ts';
import type { NewToken } from './commands/tokens.ts';
import type { VerifyOptions } from './commands/verify.ts';
import { completionFor, shells } from './completion.ts';
import { addContacts } from './contacts-program.ts';
import { addDeadLetters } from './dead-letters-program.ts';
import { addDeployment } from './deployment-program.ts';
import { addDispatch } from './dispatch-program.ts';
import { addKeys } from './keys-program.ts';
import type { StartOptions } from './start/start.ts';
import { addSubAccounts } from './sub-accounts-program.ts';
import { addUsers } from './users-program.ts';
import { addWhy } from './why-program.ts';

/** Every command and option. The code of a command is loaded only when it runs, so that help is fast. */
export function programFor(env: NodeJS.ProcessEnv, output: OutputConfiguration): Command {
  const program = new Command('crm')
    .description('Runs and administers the CRM.')
    .usage('<command> [options]')
    .option('--json', 'print exactly one JSON object')
    .addHelpText('after', environmentHelp)
    .configureOutput(output)
    .exitOverride();
  addStart(program, env);
  addUsers(program, env);
  addSubAccounts(program, env);
  addTokens(program, env);
  addApps(program, env);
  addCalendars(program, env);
  addTeamMembers(program, env);
  addContacts(program, env);
  addMaintenance(program, env);
  addDispatch(program, env);
  addMessages(program, env);
  addAudit(program, env);
  addWhy(program, env);
  addOutbox(program, env);
  addDeadLetters(program, env);
  addKeys(program, env);
  addDeployment(program, env);
  addCompletion(program);
  return program;
}

const environmentHelp = `
Commands use the system that runs in .crm (CRM_DATA_DIR), or the one whose gateway is at CRM_URL.`;

function addStart(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('start')
    .description('run the whole system until Ctrl-C')
    .option('--processes', 'run one process per service instead of a single one')
    .option('--watch', 'with --processes: restart a service when its sources change')
    .option('--demo', 'add the demo agency even if other machines can reach the system')
    .option('--no-demo', 'leave out the demo agency')
    .action(async (_options: StartOptions, command: Command) => {
      const { start } = await import('./start/start.ts');
      await start(command.optsWithGlobals<StartOptions>(), env);
      process.exit(0);
    });
}

function addCompletion(program: Command) {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(
      reporting(async (shell: (typeof shells)[number]) => {
        const script = completionFor(program, shell);
        return { json: { script }, text: script.trimEnd() };
      }),
    );
}

function addTokens(program: Command, env: NodeJS.ProcessEnv) {
  const tokens = program.command('tokens').description('manage access tokens');
  tokens
    .command('create')
    .description('create an access token and show it once')
    .requiredOption('--user <email|id>')
    .option('--scope <scope>', 'read or write; write includes read')
    .option('--name <name>', 'what it is for')
    .action(
      reporting(async (given: NewToken) => (await import('./commands/tokens.ts')).createToken(env, given)),
    );
  tokens
    .command('revoke')
    .description('revoke an access token')
    .argument('<token|id>')
    .action(
      reporting(async (named: string) => (await import('./commands/tokens.ts')).revokeToken(env, named)),
    );
}

function addTeamMembers(program: Command, env: NodeJS.ProcessEnv) {
  const members = program.command('team-members').description('manage the members of teams');
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
    .description('remove a member or an invitation')
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
    .description('migrate the schemas and do nothing else; the system need not be running')
    .action(reporting(async () => (await import('./commands/migrate.ts')).migrateAll(env)));
  program
    .command('backup')
    .description('write the data and keys of all services into a new folder; the system may be running')
    .argument('<folder>')
    .action(reporting(async (folder: string) => (await import('./commands/backup.ts')).backUp(env, folder)));
  program
    .command('restore')
    .description('restore a backup into an empty system that is not running')
    .argument('<folder>')
    .action(
      reporting(async (folder: string) => (await import('./commands/restore.ts')).restore(env, folder)),
    );
  program
    .command('withhold')
    .description(
      'after restoring the databases by other means, keep anything from being sent twice; the system must not be running',
    )
    .action(reporting(async () => (await import('./commands/withhold.ts')).withhold(env)));
  program
    .command('doctor')
    .description('report what runs, what lags, what is wrong and how to fix it')
    .action(reporting(async () => (await import('./commands/doctor.ts')).doctor(env)));
  program
    .command('verify')
    .description('check the data of all services and NATS for inconsistencies')
    .option('--repair', 'repair those that can be repaired without loss')
    .action(
      reporting(async (options: VerifyOptions) =>
        (await import('./commands/verify.ts')).verify(env, options),
      ),
    );
}

function addMessages(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('messages')
    .description('show incoming texts')
    .command('list')
    .description('list texts from numbers that belong to no contact, latest first')
    .option('--before <time>', 'only those received before')
    .option('--limit <count>', 'maximum number', '100')
    .action(
      reporting(async (filter: MessageFilter) =>
        (await import('./commands/messages.ts')).listMessages(env, filter),
      ),
    );
}

function addOutbox(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('outbox')
    .description('manage outgoing events')
    .command('republish')
    .description('republish events that the broker has lost')
    .requiredOption('--service <name>')
    .requiredOption('--since <time>', 'a time such as 2026-01-31T12:00:00Z')
    .action(
      reporting(async (given: Republication) =>
        (await import('./commands/outbox.ts')).republishOutbox(env, given),
      ),
    );
}
