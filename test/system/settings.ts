import { type DeliveryConfig, variablesOf } from '@crm/delivery';

/** The settings of the services of a system. */
export interface Settings {
  readonly operatorToken: string;
  readonly serviceToken: string;
  readonly claimKey: string;
  readonly delivery: DeliveryConfig;
}

/** The variables of a service in a process of its own, which gets only those that it needs. */
export function environmentFor(service: string, settings: Settings): Record<string, string> {
  const { operatorToken, serviceToken, claimKey, delivery } = settings;
  const SERVICE_TOKEN = serviceToken;
  if (service === 'identity') {
    return { SERVICE_TOKEN, OPERATOR_TOKEN: operatorToken, PUBLIC_URL: delivery.publicUrl };
  }
  if (service === 'scheduling') return { SERVICE_TOKEN, ...variablesOf(delivery) };
  if (service !== 'leads-routing') return { SERVICE_TOKEN };
  return { SERVICE_TOKEN, CLAIM_KEY: claimKey, ...variablesOf(delivery) };
}
