import { createHmac } from 'node:crypto';

export interface Secrets {
  readonly operatorToken: string;
  /** What the services show to identity when they ask one another. */
  readonly serviceToken: string;
}

/** All secrets of a system follow from one, so that only one has to be kept. */
export function secretsFrom(operatorToken: string): Secrets {
  const derived = createHmac('sha256', operatorToken).update('token of the services').digest('base64url');
  return { operatorToken, serviceToken: `crm_sv_${derived}` };
}
