import { type DeliveryConfig, deliveryConfigOf, deliveryVariables } from '@crm/delivery';
import { readEnvironment } from '@crm/service';
import { variables } from '@crm/service/process';

/** The settings of the service. */
export interface Settings {
  /** How alerts are sent, and how callbacks of the carrier are verified. */
  readonly delivery: DeliveryConfig;
  /** The key that signs claim links. Changing it invalidates the links that were already sent. */
  readonly claimKey: string;
}

/** Reads the settings from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { CLAIM_KEY, ...delivery } = readEnvironment({ ...deliveryVariables, CLAIM_KEY: variables.key }, env);
  return { claimKey: CLAIM_KEY, delivery: deliveryConfigOf(delivery) };
}
