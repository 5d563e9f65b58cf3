import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@crm/data';
import { mailUrl } from '@crm/local-carriers';
import type { Report } from '../command-line.ts';
import { deliveryWith, localAccount } from '../start/carriers.ts';
import { databasesOf } from '../start/infrastructure.ts';
import { refuseLocalCarriers } from '../start/refuse-development.ts';
import { keptHere } from '../start/summary.ts';
import { type BrokerUrls, withUsers } from '../system/broker-urls.ts';
import { writePrivate } from '../system/data-folder.ts';
import { databaseVariablesOf, type Environment, environmentsOf } from '../system/environments.ts';
import { demandKeysOfDatabase, keepKeysOfDatabase } from '../system/keys-of-database.ts';
import { ensureSecrets, type Secrets } from '../system/secrets.ts';
import { eachService, forEachService } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { Unable } from '../system/unable.ts';
import { type DeploymentConfig, readDeploymentConfig } from './deployment-config.ts';

/** In the container network, everything listens on the same port, under its own host name. */
const containerPort = 3000;
const mailPort = 1025;
const carriers = 'carriers';

/** A separate folder for each process, so that only this folder is mounted into it. */
const environmentFileOf = (folder: string, name: string) => join(folder, name, 'environment');

/**
 * Creates a role and a schema for each service, migrates the schemas, and writes an environment file for each process,
 * with only the secrets that it needs.
 */
export async function prepareDeployment(env: NodeJS.ProcessEnv): Promise<Report> {
  const config = readDeploymentConfig(env);
  refuseLocalCarriers(config);
  const secrets = ensureSecrets(env, config.folder);
  const databaseUrls = await databasesOf(config, config.databaseUrl);
  await demandKeysOfDatabase(databaseUrls.identity, config.folder);
  // It runs before every crm command, even after one that was interrupted.
  const applied = await forEachService((name) =>
    migrate(databaseUrls[name], stores[name], { during: 'withhold' }),
  );
  await keepKeysOfDatabase(databaseUrls.identity, config.folder);
  const natsUrls = withUsers(config.natsUrl, secrets);
  const environments = environmentsIn(config, { secrets, natsUrls, databaseUrls });
  const operator = {
    CRM_URL: `http://gateway:${containerPort}`,
    ...operatorEnvironment(config, secrets, natsUrls, databaseVariablesOf(databaseUrls)),
    ...environments.gateway,
  };
  const files = { ...environments, [carriers]: carriersEnvironment(config, secrets), operator };
  for (const [name, variables] of Object.entries(files)) {
    mkdirSync(join(config.folder, name), { recursive: true, mode: 0o700 });
    writePrivate(environmentFileOf(config.folder, name), textOf(variables));
  }
  const { folder, unusedProviders } = config;
  const written = `The environment files are in ${folder}.`;
  const text = [written, ...keptHere(unusedProviders)].join(' ');
  return { json: { applied }, text };
}

type SystemFacts = Parameters<typeof environmentsOf>[0];

/** For the crm command. The sender and the postal address tell `crm doctor` whether outgoing e-mails have a postal address. */
export const operatorEnvironment = (
  { mail, postalAddress }: DeploymentConfig,
  { operatorToken }: Secrets,
  { crm }: BrokerUrls,
  databases: Environment,
): Environment => ({
  OPERATOR_TOKEN: operatorToken,
  NATS_URL: crm,
  ...databases,
  ...(mail && { MAIL_FROM: mail.mailFrom.address }),
  ...(postalAddress !== undefined && { MAIL_POSTAL_ADDRESS: postalAddress }),
});

/** The variables of the processes in the container network, with local carriers in a separate container. */
export function environmentsIn(
  config: DeploymentConfig,
  facts: Pick<SystemFacts, 'secrets' | 'natsUrls' | 'databaseUrls'>,
) {
  const { carrierToken: authToken } = facts.secrets;
  const delivery = deliveryWith(config, {
    smtpUrl: mailUrl({ host: carriers, port: mailPort, authToken }),
    carrierUrl: `http://${carriers}:${containerPort}`,
    authToken,
  });
  const urls = eachService((name) => `http://${name}:${containerPort}`);
  return environmentsOf({ ...config, ...facts, urls, delivery });
}

export function carriersEnvironment({ publicUrl }: DeploymentConfig, { carrierToken }: Secrets): Environment {
  return {
    SMTP_PORT: String(mailPort),
    CARRIER_ACCOUNT_SID: localAccount.accountSid,
    CARRIER_AUTH_TOKEN: carrierToken,
    CARRIER_NUMBER: localAccount.number,
    PUBLIC_URL: publicUrl,
    GATEWAY_URL: `http://gateway:${containerPort}`,
  };
}

/** In the format of `node --env-file`, which has three kinds of quotes but no escapes. */
function textOf(variables: Environment): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

function quoted(name: string, value: string): string {
  const quote = ["'", '"', '`'].find((one) => !value.includes(one));
  if (quote && !/[\r\n]/.test(value)) return `${quote}${value}${quote}`;
  throw new Unable('Configuration', `${name} contains characters that an environment file cannot represent.`);
}
