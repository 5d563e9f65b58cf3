import { serviceTokenHolders } from '@crm/contract';
import { addressOf, gatewayPort, portOf, variablePrefix } from './addresses.ts';
import { drainSeconds } from './drain.ts';
import { readEnvironment } from './environment.ts';
import {
  auditDays,
  days,
  historyDaysIn,
  historyVariables,
  host,
  httpUrl,
  natsReplicas,
  natsUrl,
  operatorToken,
  origin,
  poolerUrl,
  port,
  postgresUrl,
  seconds,
  serviceToken,
} from './variables.ts';

/** The configuration of a service in its own process. On one machine only the two URLs are required. */
export function readServiceConfig(service: string, env: NodeJS.ProcessEnv) {
  const config = readEnvironment(
    {
      DATABASE_URL: postgresUrl,
      DATABASE_POOLER_URL: poolerUrl.optional(),
      NATS_URL: natsUrl,
      NATS_REPLICAS: natsReplicas.default(1),
      AUDIT_DAYS: days.default(auditDays),
      ...historyVariables,
      HOST: host.default('127.0.0.1'),
      PORT: port(0, 65_535).default(portOf(service)),
      DRAIN_SECONDS: seconds.default(drainSeconds),
    },
    env,
  );
  return {
    databaseUrl: config.DATABASE_URL,
    poolerUrl: config.DATABASE_POOLER_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
    auditDays: config.AUDIT_DAYS,
    historyDays: historyDaysIn(config)[service],
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_SECONDS * 1_000,
  };
}

/** The URL of another service, such as `CONTACTS_URL`; by default on this machine, on its default port. */
export function readServiceUrl(service: string, env: NodeJS.ProcessEnv): string {
  const name = `${variablePrefix(service)}_URL`;
  const fallback = addressOf('127.0.0.1', portOf(service));
  return String(readEnvironment({ [name]: httpUrl.default(fallback) }, env)[name]);
}

/** The secret with which this process authenticates to identity to call others, as itself or for a user. */
export function readServiceToken(env: NodeJS.ProcessEnv): string {
  return readEnvironment({ SERVICE_TOKEN: serviceToken }, env).SERVICE_TOKEN;
}

/** All service tokens, such as `SCHEDULING_SERVICE_TOKEN`; only identity needs to know them. */
export function readServiceTokens(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = serviceTokenHolders.map(
    (service) => [service, `${variablePrefix(service)}_SERVICE_TOKEN`] as const,
  );
  const read = readEnvironment(
    Object.fromEntries(names.map(([, variable]) => [variable, serviceToken.optional()])),
    env,
  );
  return Object.fromEntries(
    names.flatMap(([service, variable]) =>
      read[variable] === undefined ? [] : [[service, String(read[variable])]],
    ),
  );
}

/** The secret of the crm command, which only identity needs to know. */
export function readOperatorToken(env: NodeJS.ProcessEnv): string {
  return readEnvironment({ OPERATOR_TOKEN: operatorToken }, env).OPERATOR_TOKEN;
}

/** The URL at which clients reach the API, which is also the issuer of OAuth tokens (RFC 8414 §2). */
export function readPublicUrl(env: NodeJS.ProcessEnv): string {
  const fallback = addressOf('127.0.0.1', gatewayPort);
  return readEnvironment({ PUBLIC_URL: origin.default(fallback) }, env).PUBLIC_URL;
}
