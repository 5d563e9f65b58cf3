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

/** What the service is started with. */
export interface IdentitySettings {
  /** Lets the crm command act as the system. */
  readonly operatorToken: string;
  /** What each service authenticates with when it calls others. */
  readonly serviceTokens: Credentials;
  /** The access tokens of sub-accounts are derived from it: with another key, existing ones stop working. */
  readonly subAccountKey: string;
  /** With another key, codes to confirm phone numbers and links to new passwords that were sent stop working. */
  readonly phoneCodeKey: string;
  /** Where clients reach the API; the issuer of all tokens. */
  readonly publicUrl: string;
  /** What e-mails about accounts are sent through. Without it they wait. */
  readonly mail?: MailOptions | undefined;
  /** What codes to confirm phone numbers are sent through. Without it numbers are not confirmed. */
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
