import { createHmac } from 'node:crypto';
import { callingServices } from '@crm/contract';

type CallingService = (typeof callingServices)[number];

export interface Secrets {
  readonly operatorToken: string;
  /** Each authenticates one service to identity. */
  readonly serviceTokens: Readonly<Record<CallingService, string>>;
  /** Signs the links that claim a lead. */
  readonly claimKey: string;
  /** Authenticates the account at the local carrier. */
  readonly carrierToken: string;
}

/** All secrets of a system are derived from one, so that only one has to be stored. */
export function secretsFrom(operatorToken: string): Secrets {
  const derived = (what: string) => createHmac('sha256', operatorToken).update(what).digest('base64url');
  return {
    operatorToken,
    serviceTokens: Object.fromEntries(
      callingServices.map((name) => [name, `crm_sv_${derived(`token of ${name}`)}`]),
    ) as Secrets['serviceTokens'],
    claimKey: derived('key of the claim links'),
    carrierToken: derived('token of the local carrier'),
  };
}
