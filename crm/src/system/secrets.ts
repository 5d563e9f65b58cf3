import { createHmac } from 'node:crypto';

export interface Secrets {
  readonly operatorToken: string;
  /** What the services show to identity when they ask one another. */
  readonly serviceToken: string;
  /** What the links that claim a lead are signed with. */
  readonly claimKey: string;
  /** Of the account at the carrier that runs on this machine. */
  readonly carrierToken: string;
}

/** All secrets of a system follow from one, so that only one has to be kept. */
export function secretsFrom(operatorToken: string): Secrets {
  const derived = (what: string) => createHmac('sha256', operatorToken).update(what).digest('base64url');
  return {
    operatorToken,
    serviceToken: `crm_sv_${derived('token of the services')}`,
    claimKey: derived('key of the claim links'),
    carrierToken: derived('token of the local carrier'),
  };
}
