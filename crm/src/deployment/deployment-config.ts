import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment, variables } from '@crm/service/process';
import { readStartConfig, type StartConfig } from '../start/start-config.ts';
import { Unable } from '../system/unable.ts';

/** The file with the password of the database administrator, read by the database and by `deployment prepare`. */
export const passwordFileOf = (folder: string): string => join(folder, 'postgres', 'password');

/** The settings of `start`, with defaults for a network of containers. */
export interface DeploymentConfig extends StartConfig {
  readonly databaseUrl: string;
  readonly natsUrl: string;
}

const deploymentVariables = {
  DATABASE_URL: variables.postgresUrl.default('postgres://postgres@postgres:5432/crm'),
  NATS_URL: variables.natsUrl.default('nats://nats:4222'),
};

/** Reads the settings of a deployment. A database URL without a password gets the generated one. */
export function readDeploymentConfig(env: NodeJS.ProcessEnv): DeploymentConfig {
  const { DATABASE_URL, NATS_URL } = readEnvironment(deploymentVariables, env);
  const config = readStartConfig(env);
  const url = new URL(DATABASE_URL);
  if (url.password === '') url.password = generatedPassword(config.folder);
  return { ...config, databaseUrl: url.href, natsUrl: NATS_URL };
}

function generatedPassword(folder: string): string {
  try {
    return readFileSync(passwordFileOf(folder), 'utf8').trim();
  } catch {
    throw new Unable(
      'NoPassword',
      `${passwordFileOf(folder)} does not exist. Generate it with \`crm deployment secrets\`, or put the password into DATABASE_URL.`,
    );
  }
}
