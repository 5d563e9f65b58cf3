import { type CarrierOptions, carrierOf, carrierVariables } from '@crm/delivery';
import { readEnvironment, readOperatorToken, readPublicUrl, readServiceTokens } from '@crm/service';
import type { Credentials } from './actors/resolve-token.ts';

/** What the service is started with. */
export interface IdentitySettings {
  /**
   * Lets the crm command act as the system. The access tokens of sub-accounts are derived from it: with another
   * operator token, existing ones stop working.
   */
  readonly operatorToken: string;
  /** What each service authenticates with when it calls others. */
  readonly serviceTokens: Credentials;
  /** Where clients reach the API; the issuer of all tokens. */
  readonly publicUrl: string;
  /** What codes to confirm phone numbers are sent through. Without it numbers are not confirmed. */
  readonly carrier?: CarrierOptions | undefined;
}

/** The same from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): IdentitySettings {
  return {
    operatorToken: readOperatorToken(env),
    serviceTokens: readServiceTokens(env),
    publicUrl: readPublicUrl(env),
    carrier: env.CARRIER_URL ? carrierOf(readEnvironment(carrierVariables, env)) : undefined,
  };
}
