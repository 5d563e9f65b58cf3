import {
  type CarrierOptions,
  carrierOf,
  carrierVariables,
  type MailOptions,
  mailOf,
  mailVariables,
} from '@crm/delivery';
import { readEnvironment, readOperatorToken, readPublicUrl, readServiceTokens } from '@crm/service';
import { variables } from '@crm/service/process';
import type { Credentials } from './actors/resolve-token.ts';

/** The settings that the service is started with. */
export interface IdentitySettings {
  /** Lets the crm command act as the system. */
  readonly operatorToken: string;
  /** The credentials that each service calls others with. */
  readonly serviceTokens: Credentials;
  /** The access tokens of sub-accounts are derived from this key. Changing it invalidates them. */
  readonly subAccountKey: string;
  /** Phone confirmation codes and password links are derived from this key. Changing it invalidates those already sent. */
  readonly phoneCodeKey: string;
  /** Where clients reach the API; the issuer of all tokens. */
  readonly publicUrl: string;
  /** Sends e-mails about accounts. Without it they wait. */
  readonly mail?: MailOptions | undefined;
  /** Sends codes to confirm phone numbers. Without it, numbers are used unconfirmed. */
  readonly carrier?: CarrierOptions | undefined;
}

/** Reads the settings from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): IdentitySettings {
  const { SUB_ACCOUNT_KEY, PHONE_CODE_KEY, ...mail } = readEnvironment(
    { SUB_ACCOUNT_KEY: variables.key, PHONE_CODE_KEY: variables.key, ...mailVariables },
    env,
  );
  return {
    subAccountKey: SUB_ACCOUNT_KEY,
    phoneCodeKey: PHONE_CODE_KEY,
    operatorToken: readOperatorToken(env),
    serviceTokens: readServiceTokens(env),
    publicUrl: readPublicUrl(env),
    mail: mailOf(mail),
    carrier: env.CARRIER_URL ? carrierOf(readEnvironment(carrierVariables, env)) : undefined,
  };
}
