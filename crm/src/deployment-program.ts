import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { KubernetesOptions } from './deployment/kubernetes-secrets.ts';

/** The commands that docker-compose.yml runs, and the one that generates the Secrets for Kubernetes. */
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
    .command('kubernetes')
    .description('print the Secrets for deploy/kubernetes, and keep what they contain in CRM_DATA_DIR')
    .option('--layout <layout>', 'of PostgreSQL: shared, perService or external', 'shared')
    .action(
      reporting(async (options: KubernetesOptions) =>
        (await import('./deployment/kubernetes-secrets.ts')).kubernetesSecrets(env, options),
      ),
    );
  deployment
    .command('carriers')
    .description('run a mail catcher and a carrier that reach nobody, and a page that shows their messages')
    .action(async () => (await import('./deployment/run-carriers.ts')).runCarriers(env));
}
