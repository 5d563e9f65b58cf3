import type { Command } from 'commander';
import { reporting } from './command-line.ts';

/** The commands that docker-compose.yml runs. */
export function addDeployment(program: Command, env: NodeJS.ProcessEnv) {
  const deployment = program.command('deployment').description('prepare and run the system in containers');
  deployment
    .command('secrets')
    .description('generate the secrets in CRM_DATA_DIR unless they exist')
    .action(reporting(async () => (await import('./deployment/make-secrets.ts')).makeSecrets(env)));
  deployment
    .command('prepare')
    .description('create roles and schemas, and an environment file for each process')
    .action(reporting(async () => (await import('./deployment/prepare.ts')).prepareDeployment(env)));
  deployment
    .command('carriers')
    .description('run a mail catcher and a carrier that reach nobody, and a page that shows their messages')
    .action(async () => (await import('./deployment/run-carriers.ts')).runCarriers(env));
}
