import {
  carrierVariables,
  deliveryVariables,
  type SendingRules,
  sendingRulesOf,
  sendingVariables,
} from '@crm/delivery';
import {
  addressOf,
  gatewayPort,
  type LogLevel,
  portsOfSystem,
  type RateLimits,
  rateLimitsOf,
  rateLimitVariables,
  readEnvironment,
  type TelemetryOptions,
  telemetryOptionsOf,
  telemetryVariables,
  variablePrefix,
  variables,
} from '@crm/service/process';
import { dataFolderOf } from '../system/data-folder.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { type Providers, providersIn } from './providers.ts';

export interface StartConfig extends Providers {
  readonly folder: string;
  /** The host on which the gateway listens. */
  readonly host: string;
  /** The host on which the services listen; only the gateway and the crm command need to reach it. */
  readonly servicesHost: string;
  readonly port: number;
  /** The URL at which clients reach the gateway. Behind a proxy, it differs from where the gateway listens. */
  readonly publicUrl: string;
  readonly isPublicUrlSet: boolean;
  /** Whether NODE_ENV is production. */
  readonly isProduction: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** How many requests the gateway accepts; undefined for no limit. */
  readonly rateLimits: RateLimits | undefined;
  readonly logLevel: LogLevel;
  /** Where metrics are served: those of one process, or of the gateway, with those of the services on the following ports. */
  readonly telemetry: TelemetryOptions;
  /** The URL of an administrator, who creates a role and a schema for each service. */
  readonly databaseUrl: string | undefined;
  /** Databases of services whose roles already exist. */
  readonly databaseUrls: Readonly<Partial<Record<ServiceName, string>>>;
  /** A pooler in front of the databases. */
  readonly poolerUrl: string | undefined;
  readonly natsUrl: string | undefined;
  /** The number of servers on which NATS stores each event. */
  readonly natsReplicas: number;
  /** How many days the audit log is kept. */
  readonly auditDays: number;
  /** How many days services keep their history (default: forever). */
  readonly historyDays: Readonly<Record<string, number | undefined>>;
  /** The operator's postal address, appended to all campaign e-mails. */
  readonly postalAddress: string | undefined;
  /** The countries whose numbers may be texted and called, also by the local carrier. */
  readonly allowedCountries: readonly string[];
  readonly rules: SendingRules;
}

/** Reads the configuration of the system from the environment. */
export function readStartConfig(env: NodeJS.ProcessEnv): StartConfig {
  const read = readEnvironment(
    {
      PORT: variables.port(1, 65_536 - portsOfSystem).default(gatewayPort),
      HOST: variables.host.default('127.0.0.1'),
      SERVICES_HOST: variables.host.default('127.0.0.1'),
      PUBLIC_URL: variables.origin.optional(),
      TRUSTED_PROXIES: variables.networks.optional(),
      ...rateLimitVariables,
      LOG_LEVEL: variables.logLevel.default('info'),
      ...telemetryVariables,
      ...databaseVariables,
      NATS_URL: variables.natsUrl.optional(),
      NATS_REPLICAS: variables.natsReplicas.default(1),
      ...keepingVariables,
    },
    env,
  );
  const providers = providersIn(env);
  return {
    folder: dataFolderOf(env),
    host: read.HOST,
    servicesHost: read.SERVICES_HOST,
    port: read.PORT,
    publicUrl: read.PUBLIC_URL ?? addressOf(read.HOST, read.PORT),
    isPublicUrlSet: read.PUBLIC_URL !== undefined,
    isProduction: env.NODE_ENV === 'production',
    trustedProxies: read.TRUSTED_PROXIES ?? [],
    rateLimits: rateLimitsOf(read),
    logLevel: read.LOG_LEVEL,
    telemetry: telemetryOptionsOf(read),
    ...databasesIn(read),
    natsUrl: read.NATS_URL,
    natsReplicas: read.NATS_REPLICAS,
    ...daysIn(read),
    ...providers,
    ...sendingIn(env, providers),
  };
}

const keepingVariables = {
  AUDIT_DAYS: variables.days.default(variables.auditDays),
  ...variables.historyVariables,
};

function daysIn(read: { readonly AUDIT_DAYS: number } & Parameters<typeof variables.historyDaysIn>[0]) {
  return { auditDays: read.AUDIT_DAYS, historyDays: variables.historyDaysIn(read) };
}

type Sending = Pick<StartConfig, 'postalAddress' | 'allowedCountries' | 'rules'>;

/** Quiet hours are on by default if texts reach real recipients. */
function sendingIn(env: NodeJS.ProcessEnv, { carrier }: Providers): Sending {
  const { ALLOWED_COUNTRIES } = carrierVariables;
  const read = readEnvironment({ ...sendingVariables, ALLOWED_COUNTRIES, MAIL_POSTAL_ADDRESS }, env);
  const quietHours = env.QUIET_HOURS ? read.QUIET_HOURS : carrier !== undefined;
  return {
    postalAddress: read.MAIL_POSTAL_ADDRESS,
    allowedCountries: read.ALLOWED_COUNTRIES,
    rules: { ...sendingRulesOf(read), quietHours },
  };
}

const { MAIL_POSTAL_ADDRESS } = deliveryVariables;

/** Reads only the databases, for commands that need nothing else. */
export function readDatabaseConfig(
  env: NodeJS.ProcessEnv,
): Pick<StartConfig, 'databaseUrl' | 'databaseUrls'> {
  return databasesIn(readEnvironment(databaseVariables, env));
}

const ownVariable = (service: ServiceName): string => `${variablePrefix(service)}_DATABASE_URL`;

const databaseVariables = {
  DATABASE_URL: variables.postgresUrl.optional(),
  DATABASE_POOLER_URL: variables.poolerUrl.optional(),
  ...Object.fromEntries(serviceNames.map((name) => [ownVariable(name), variables.postgresUrl.optional()])),
};

function databasesIn(read: Readonly<Record<string, unknown>>) {
  const entries = serviceNames.map((name) => [name, read[ownVariable(name)]] as const);
  const own = entries.filter(([, url]) => url !== undefined);
  return {
    databaseUrl: read.DATABASE_URL as string | undefined,
    poolerUrl: read.DATABASE_POOLER_URL as string | undefined,
    databaseUrls: Object.fromEntries(own) as StartConfig['databaseUrls'],
  };
}
