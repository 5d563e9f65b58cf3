import { addressOf, portOf, readEnvironment, variablePrefix, variables } from '@crm/service/process';
import { dataFolderOf } from './data-folder.ts';
import { findOperatorToken } from './operator-token.ts';
import { type ServiceName, serviceNames } from './services.ts';
import { readSystemFile } from './system-file.ts';
import { Unable } from './unable.ts';

export interface FoundSystem {
  readonly gateway: string;
  readonly services: Readonly<Record<ServiceName, string>>;
}

/** The URLs of the system that commands use: the one at `CRM_URL`, or the one of the data folder. */
export function findSystem(env: NodeJS.ProcessEnv): FoundSystem {
  const { CRM_URL } = readEnvironment({ CRM_URL: variables.httpUrl.optional() }, env);
  if (CRM_URL !== undefined) return systemAt(CRM_URL, env);
  return runningIn(env, 'CRM_URL to the address or CRM_DATA_DIR to the folder of a running one');
}

/** The services listen on the ports after the gateway's unless variables such as `CONTACTS_URL` are set. */
function systemAt(gateway: string, env: NodeJS.ProcessEnv): FoundSystem {
  const { hostname, port, protocol } = new URL(gateway);
  const gatewayPort = Number(port || (protocol === 'https:' ? 443 : 80));
  const host = hostname.replace(/^\[|\]$/g, '');
  const urlOf = (service: ServiceName) => {
    const name = `${variablePrefix(service)}_URL`;
    const fallback = addressOf(host, portOf(service, gatewayPort));
    return String(readEnvironment({ [name]: variables.httpUrl.default(fallback) }, env)[name]);
  };
  const services = Object.fromEntries(serviceNames.map((name) => [name, urlOf(name)]));
  return { gateway: gateway.replace(/\/$/, ''), services: services as FoundSystem['services'] };
}

/** The token with which a command acts as the system. */
export function needOperatorToken(env: NodeJS.ProcessEnv): string {
  const folder = dataFolderOf(env);
  const token = findOperatorToken(env, folder);
  if (token !== undefined) return token;
  throw new Unable(
    'NoOperatorToken',
    `No operator token was found in ${folder}. Set OPERATOR_TOKEN to the one that identity was started with.`,
  );
}

/**
 * The broker of the system: `NATS_URL`, or the broker of the running system. Without the variable, that of a system elsewhere is
 * unknown.
 */
export function natsUrlOf(env: NodeJS.ProcessEnv): string | undefined {
  const { NATS_URL } = readEnvironment({ NATS_URL: variables.natsUrl.optional() }, env);
  return NATS_URL ?? readSystemFile(dataFolderOf(env))?.natsUrl;
}

/** The database of a service: `<SERVICE>_DATABASE_URL`, or that of the running system. */
export function databaseUrlOf(env: NodeJS.ProcessEnv, service: ServiceName): string {
  const name = `${variablePrefix(service)}_DATABASE_URL`;
  const url = readEnvironment({ [name]: variables.postgresUrl.optional() }, env)[name];
  return url === undefined ? runningIn(env, name).databaseUrls[service] : String(url);
}

function runningIn(env: NodeJS.ProcessEnv, whatToSet: string) {
  const folder = dataFolderOf(env);
  const system = readSystemFile(folder);
  if (system) return system;
  throw new Unable(
    'NotRunning',
    `No system is running in ${folder}. Start one with \`npm start\`, or set ${whatToSet}.`,
  );
}
