import { readFileSync } from 'node:fs';
import { rolePassword } from '@crm/data';
import { brokerUsers } from '@crm/messaging';
import { variablePrefix } from '@crm/service/process';
import type { Report } from '../command-line.ts';
import { brokerUsersOf, withUsers } from '../system/broker-urls.ts';
import { databaseVariablesOf, type Environment } from '../system/environments.ts';
import { ensureSecrets } from '../system/secrets.ts';
import { eachService, type ServiceName, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { type DeploymentConfig, passwordFileOf, readDeploymentConfig } from './deployment-config.ts';
import { makeSecrets } from './make-secrets.ts';
import { carriersEnvironment, environmentsIn, operatorEnvironment } from './prepare.ts';

export interface KubernetesOptions {
  readonly layout: string;
}

/** Variables that are secret, or belong to an account at a provider. The chart knows the others. */
const secretVariables =
  /^(DATABASE_URL|NATS_URL|RATE_LIMIT_URL|SMTP_URL|MAIL_FROM|MAIL_POSTAL_ADDRESS|BOUNCE_TOKEN|OPERATOR_TOKEN|(\w+_)?SERVICE_TOKEN|\w+_KEY|CARRIER_\w+|\w+_DATABASE_URL)$/;

const secretsOnly = (variables: Environment): Environment =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => secretVariables.test(name)));

/**
 * The Secrets that the chart in deploy/kubernetes expects, as YAML: one for each process, and one for each PostgreSQL role. Their
 * contents are generated once and kept in the data folder.
 */
export async function kubernetesSecrets(
  env: NodeJS.ProcessEnv,
  { layout }: KubernetesOptions,
): Promise<Report> {
  if (!['shared', 'perService', 'external'].includes(layout))
    throw new Unable('Usage', `--layout is "${layout}", but must be shared, perService or external.`);
  await makeSecrets(env);
  const config = readDeploymentConfig({ NATS_URL: 'tls://nats:4222', ...env });
  const secrets = ensureSecrets(env, config.folder);
  const admin = readFileSync(passwordFileOf(config.folder), 'utf8').trim();
  const databaseUrls = eachService((name) => databaseUrlOf(name, config, layout, admin));
  const natsUrls = withUsers(config.natsUrl, secrets);
  const environments = environmentsIn(config, { secrets, natsUrls, databaseUrls });
  const databases = databaseVariablesOf(databaseUrls);
  const data: Record<string, Environment> = {
    ...environments,
    carriers: carriersEnvironment(config, secrets),
    operator: operatorEnvironment(config, secrets, natsUrls, databases),
    migrations: databases,
  };
  const manifests = [
    ...Object.entries(data).map(([name, variables]) => manifestOf(name, secretsOnly(variables))),
    manifestOf('nats-users', { 'users.conf': brokerUsers(brokerUsersOf(secrets)) }),
    ...(layout === 'external' ? [] : serviceNames.map((name) => roleOf(name, admin))),
  ];
  const text = manifests.map((manifest) => `---\n${JSON.stringify(manifest)}`).join('\n');
  return { json: { kind: 'List', apiVersion: 'v1', items: manifests }, text };
}

const roleNameOf = (name: ServiceName) => `crm_${name.replaceAll('-', '_')}`;

/** Encrypted, and only to a server whose certificate the PostgreSQL operator has signed. */
function databaseUrlOf(name: ServiceName, config: DeploymentConfig, layout: string, admin: string): string {
  const own = config.databaseUrls[name];
  if (own !== undefined) return own;
  if (layout === 'external')
    throw new Unable('Configuration', `Set ${variablePrefix(name)}_DATABASE_URL to the database of ${name}.`);
  const cluster = layout === 'shared' ? 'postgres' : `postgres-${name}`;
  const role = roleNameOf(name);
  const access = `${role}:${rolePassword(admin, role)}`;
  const encryption = `sslmode=verify-full&sslrootcert=/run/authorities/${cluster}.crt`;
  return `postgres://${access}@${cluster}-rw:5432/crm?${encryption}`;
}

/** JSON is valid YAML. */
function manifestOf(name: string, stringData: Environment, type = 'Opaque') {
  const labels = { 'app.kubernetes.io/part-of': 'crm' };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: `crm-${name}`, labels }, type, stringData };
}

/** CloudNativePG gives the role this password, and reads it again when it changes. */
function roleOf(name: ServiceName, admin: string) {
  const username = roleNameOf(name);
  const credentials = { username, password: rolePassword(admin, username) };
  const secret = manifestOf(`role-${name}`, credentials, 'kubernetes.io/basic-auth');
  const labels = { ...secret.metadata.labels, 'cnpg.io/reload': 'true' };
  return { ...secret, metadata: { ...secret.metadata, labels } };
}
