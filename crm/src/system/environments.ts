import {
  type CarrierOptions,
  carrierVariablesOf,
  type DeliveryConfig,
  mailVariablesOf,
  variablesOf,
} from '@crm/delivery';
import { type RateLimits, variablePrefix, variables, variablesOfRateLimits } from '@crm/service/process';
import type { BrokerUrls } from './broker-urls.ts';
import type { Secrets } from './secrets.ts';
import { type ServiceName, serviceNames } from './services.ts';

/** The input for the variables of the processes. */
interface SystemFacts {
  /** The URL of each service. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  readonly poolerUrl: string | undefined;
  readonly natsUrls: BrokerUrls;
  readonly natsReplicas: number;
  readonly auditDays: number;
  readonly historyDays: Readonly<Record<string, number | undefined>>;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimits | undefined;
  readonly secrets: Secrets;
  readonly delivery: DeliveryConfig;
  /** The configured carrier; undefined for the local one. */
  readonly carrier: CarrierOptions | undefined;
}

export type Environment = Readonly<Record<string, string>>;

/** The databases of all services, for the crm command. */
export const databaseVariablesOf = (urls: Readonly<Record<ServiceName, string>>): Environment =>
  Object.fromEntries(serviceNames.map((name) => [`${variablePrefix(name)}_DATABASE_URL`, urls[name]]));

/** The variables of each process of a system. Each gets only the secrets that it needs. */
export function environmentsOf(facts: SystemFacts): Record<ServiceName | 'gateway', Environment> {
  const { urls, publicUrl, trustedProxies, rateLimits } = facts;
  const addresses = Object.fromEntries(
    serviceNames.map((name) => [`${variablePrefix(name)}_URL`, urls[name]]),
  );
  const services = serviceNames.map((name) => [name, serviceEnvironment(facts, name, addresses)] as const);
  return {
    ...(Object.fromEntries(services) as Record<ServiceName, Environment>),
    gateway: {
      ...addresses,
      SERVICE_TOKEN: facts.secrets.serviceTokens.gateway,
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: trustedProxies.join(','),
      ...variablesOfRateLimits(rateLimits),
    },
  };
}

const identityVariables = (secrets: Secrets, publicUrl: string): Environment => ({
  OPERATOR_TOKEN: secrets.operatorToken,
  SUB_ACCOUNT_KEY: secrets.subAccountKey,
  PHONE_CODE_KEY: secrets.phoneCodeKey,
  PUBLIC_URL: publicUrl,
});

/** A service knows its own token. Identity, which authenticates all services, knows all tokens. */
function tokensOf(name: ServiceName, { serviceTokens }: Secrets): Environment {
  const entries = Object.entries(serviceTokens);
  if (name === 'identity')
    return Object.fromEntries(
      entries.map(([service, token]) => [`${variablePrefix(service)}_SERVICE_TOKEN`, token]),
    );
  return Object.fromEntries(
    entries.flatMap(([service, token]) => (service === name ? [['SERVICE_TOKEN', token]] : [])),
  );
}

function serviceEnvironment(
  {
    databaseUrls,
    poolerUrl,
    natsUrls,
    natsReplicas,
    auditDays,
    historyDays,
    publicUrl,
    secrets,
    delivery,
    carrier,
  }: SystemFacts,
  name: ServiceName,
  addresses: Environment,
): Environment {
  return {
    DATABASE_URL: databaseUrls[name],
    ...(poolerUrl !== undefined && { DATABASE_POOLER_URL: poolerUrl }),
    NATS_URL: natsUrls[name],
    NATS_REPLICAS: String(natsReplicas),
    AUDIT_DAYS: String(auditDays),
    ...variables.historyVariablesOf(name, historyDays),
    ...tokensOf(name, secrets),
    ...(name === 'identity' ? identityVariables(secrets, publicUrl) : addresses),
    ...(name === 'identity' && mailVariablesOf(delivery)),
    ...(name === 'identity' && carrier && carrierVariablesOf(carrier)),
    ...(name === 'leads-routing' && { CLAIM_KEY: secrets.claimKey }),
    ...((name === 'scheduling' || name === 'leads-routing') && variablesOf(delivery)),
  };
}
