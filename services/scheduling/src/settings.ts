import { type DeliveryConfig, deliveryConfigOf, deliveryVariables } from '@crm/delivery';
import { readEnvironment } from '@crm/service';

/** The settings of the service. */
export interface Settings {
  /** The providers through which messages are sent. */
  readonly delivery: DeliveryConfig;
}

/** Reads the settings from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return { delivery: deliveryConfigOf(readEnvironment(deliveryVariables, env)) };
}
