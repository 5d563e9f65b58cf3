import { randomBytes } from 'node:crypto';
import { serviceTokenHolders } from '@crm/contract';
import { type DeliveryConfig, mailVariablesOf, variablesOf } from '@crm/delivery';
import { variablePrefix } from '@crm/service/process';

/** The settings of the services of a system. */
export interface Settings {
  readonly operatorToken: string;
  readonly serviceTokens: Readonly<Record<string, string>>;
  readonly claimKey: string;
  readonly subAccountKey: string;
  readonly phoneCodeKey: string;
  readonly delivery: DeliveryConfig;
}

export const newSecrets = (): Omit<Settings, 'delivery'> => ({
  operatorToken: `crm_op_${randomBytes(24).toString('hex')}`,
  serviceTokens: Object.fromEntries(
    serviceTokenHolders.map((name) => [name, `crm_sv_${randomBytes(24).toString('hex')}`]),
  ),
  claimKey: randomBytes(32).toString('hex'),
  subAccountKey: randomBytes(32).toString('hex'),
  phoneCodeKey: randomBytes(32).toString('hex'),
});

/** The variables of a service in a process of its own, which gets only those that it needs. */
export function environmentFor(service: string, settings: Settings): Record<string, string> {
  const { operatorToken, serviceTokens, claimKey, delivery } = settings;
  if (service === 'identity') {
    const tokens = Object.entries(serviceTokens).map(([name, token]) => [
      `${variablePrefix(name)}_SERVICE_TOKEN`,
      token,
    ]);
    const { publicUrl: PUBLIC_URL } = delivery;
    return {
      ...Object.fromEntries(tokens),
      OPERATOR_TOKEN: operatorToken,
      SUB_ACCOUNT_KEY: settings.subAccountKey,
      PHONE_CODE_KEY: settings.phoneCodeKey,
      PUBLIC_URL,
      ...mailVariablesOf(delivery),
    };
  }
  const token = serviceTokens[service];
  const own: Record<string, string> = token === undefined ? {} : { SERVICE_TOKEN: token };
  if (service === 'scheduling') return { ...own, ...variablesOf(delivery) };
  if (service !== 'leads-routing') return own;
  return { ...own, CLAIM_KEY: claimKey, ...variablesOf(delivery) };
}
