import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { NewApp } from './commands/apps.ts';

/** The commands for applications (OAuth clients), which act for users who have approved them. */
export function addApps(program: Command, env: NodeJS.ProcessEnv) {
  const apps = program.command('apps').description('manage applications (OAuth clients)');
  apps
    .command('create')
    .description('register an application and show its secret once')
    .requiredOption('--name <name>', 'the name that users see')
    .requiredOption('--redirect-uri <uri...>', 'where users return to; can be given several times')
    .requiredOption('--owner <email|id>', 'the user who owns it')
    .option('--public', 'a client without a secret, such as a mobile app or a web page')
    .option('--allow-implicit', 'allow the implicit grant, for legacy clients')
    .action(reporting(async (given: NewApp) => (await import('./commands/apps.ts')).createApp(env, given)));
  apps
    .command('list')
    .description('list applications')
    .action(reporting(async () => (await import('./commands/apps.ts')).listApps(env)));
  apps
    .command('rotate-secret')
    .description('create a new secret and show it once; the previous secret stays valid for 24 hours')
    .argument('<id>')
    .option('--at-once', 'revoke the previous secret at once')
    .action(
      reporting(async (id: string, given: { readonly atOnce?: boolean }) =>
        (await import('./commands/apps.ts')).rotateAppSecret(env, id, given),
      ),
    );
  apps
    .command('remove')
    .description('remove an application and revoke its tokens')
    .argument('<id>')
    .action(reporting(async (id: string) => (await import('./commands/apps.ts')).removeApp(env, id)));
}
