import type { Command } from 'commander';
import { reporting } from './command-line.ts';

/** The commands that a deployment in containers is started with; each is run by it, and not by a person. */
export function addDeployment(program: Command, env: NodeJS.ProcessEnv) {
  const deployment = program.command('deployment').description('what containers are started with');
  deployment
    .command('secrets')
    .description('make the secrets in CRM_DATA_DIR, unless they are there')
    .action(reporting(async () => (await import('./deployment/make-secrets.ts')).makeSecrets(env)));
  deployment
    .command('prepare')
    .description('make roles and schemas, and a file of variables for each process')
    .action(reporting(async () => (await import('./deployment/prepare.ts')).prepareDeployment(env)));
  deployment
    .command('carriers')
    .description('run a mail catcher and a carrier that reach nobody, with a page to look at them')
    .action(async () => (await import('./deployment/run-carriers.ts')).runCarriers(env));
}
