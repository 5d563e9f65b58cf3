import { type DeliveryConfig, variablesOf } from '@crm/delivery';

/** What the services of a system are started with. */
export interface Settings {
  readonly operatorToken: string;
  readonly serviceToken: string;
  readonly claimKey: string;
  readonly delivery: DeliveryConfig;
}

/** The same for a process of its own, which is told no more than it needs. */
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
