import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { NewApp } from './commands/apps.ts';

/** The commands for applications, which act for users who let them (OAuth clients). */
export function addApps(program: Command, env: NodeJS.ProcessEnv) {
  const apps = program.command('apps').description('applications, which act for users who allow it');
  apps
    .command('create')
    .description('register an application and show its secret this once')
    .requiredOption('--name <name>', 'as users see it')
    .requiredOption('--redirect-uri <uri...>', 'where users come back to; several are possible')
    .requiredOption('--owner <email|id>', 'the user whose application it is')
    .option('--public', 'without a secret: a program on a device, or a page')
    .option('--allow-implicit', 'may get a token in the redirect itself; for old clients only')
    .action(reporting(async (given: NewApp) => (await import('./commands/apps.ts')).createApp(env, given)));
  apps
    .command('list')
    .description('list all applications')
    .action(reporting(async () => (await import('./commands/apps.ts')).listApps(env)));
  apps
    .command('rotate-secret')
    .description('make a new secret and show it this once; the one before works for another day')
    .argument('<id>')
    .option('--at-once', 'the one before works no more')
    .action(
      reporting(async (id: string, given: { readonly atOnce?: boolean }) =>
        (await import('./commands/apps.ts')).rotateAppSecret(env, id, given),
      ),
    );
  apps
    .command('remove')
    .description('remove an application with all its tokens')
    .argument('<id>')
    .action(reporting(async (id: string) => (await import('./commands/apps.ts')).removeApp(env, id)));
}
