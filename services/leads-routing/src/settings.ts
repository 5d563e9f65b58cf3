import { type DeliveryConfig, deliveryConfigOf, deliveryVariables } from '@crm/delivery';
import { readEnvironment } from '@crm/service';
import { z } from 'zod';

/** What the service is started with. */
export interface Settings {
  /** How alerts leave, and how callbacks are known to be the carrier's. */
  readonly delivery: DeliveryConfig;
  /** What the links that claim a lead are signed with. With another one, those that were sent do not work any more. */
  readonly claimKey: string;
}

const mayBe = 'a secret of at least 32 letters, digits, hyphens and underscores';
const claimKey = z.string({ error: `is not set; it must be ${mayBe}` }).regex(/^[\w-]{32,200}$/, {
  error: `must be ${mayBe}`,
});

/** The same from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { CLAIM_KEY, ...delivery } = readEnvironment({ ...deliveryVariables, CLAIM_KEY: claimKey }, env);
  return { claimKey: CLAIM_KEY, delivery: deliveryConfigOf(delivery) };
}
