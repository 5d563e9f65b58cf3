import { type DeliveryConfig, deliveryConfigOf, deliveryVariables } from '@crm/delivery';
import { readEnvironment } from '@crm/service';

/** What the service is started with. */
export interface Settings {
  /** How messages leave. */
  readonly delivery: DeliveryConfig;
}

/** The same from the environment of a process. Throws a ConfigurationError. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return { delivery: deliveryConfigOf(readEnvironment(deliveryVariables, env)) };
}
