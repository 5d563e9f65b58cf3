import { createHmac } from 'node:crypto';

export interface Secrets {
  readonly operatorToken: string;
  /** Authenticates services to identity. */
  readonly serviceToken: string;
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
    serviceToken: `crm_sv_${derived('token of the services')}`,
    claimKey: derived('key of the claim links'),
    carrierToken: derived('token of the local carrier'),
  };
}
