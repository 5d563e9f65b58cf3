import {
  carrierOf,
  carrierVariables,
  type DeliveryConfig,
  deliveryVariables,
  mailOf,
  mailVariables,
} from '@crm/delivery';
import { readEnvironment } from '@crm/service/process';
import { z } from 'zod';

/** Who delivers messages, and reports their outcomes. */
export interface Providers {
  /** The mail server; undefined for the local mail catcher. */
  readonly mail: Pick<DeliveryConfig, 'smtpUrl' | 'mailFrom'> | undefined;
  /** The carrier of texts and calls; undefined for the local one. */
  readonly carrier: DeliveryConfig['carrier'] | undefined;
  /** The secret with which a mail server authenticates its reports of bounced e-mails; undefined if none are accepted. */
  readonly bounceToken: string | undefined;
  /** Whether messages may stay on this machine although others reach the system. */
  readonly allowsLocalCarriers: boolean;
  /** The variables that are set but have no effect, because all messages are to stay on this machine. */
  readonly unusedProviders: readonly string[];
}

const choices = ['on', 'missing', 'off'] as const;

const localVariables = {
  LOCAL_CARRIERS: z
    .enum(choices, { error: ({ input }) => `is "${input}", but must be on, missing or off` })
    .default('off'),
};

const { BOUNCE_TOKEN } = deliveryVariables;

/**
 * Reads the providers from the environment. With LOCAL_CARRIERS=on there are none, whatever else is set, so that a copy of a
 * system can be started with all its variables.
 */
export function providersIn(env: NodeJS.ProcessEnv): Providers {
  const choice = readEnvironment(localVariables, env).LOCAL_CARRIERS;
  const allowsLocalCarriers = choice !== 'off';
  if (choice === 'on') {
    const unusedProviders = ['SMTP_URL', 'CARRIER_URL', 'BOUNCE_TOKEN'].filter((name) => env[name]);
    return {
      ...{ mail: undefined, carrier: undefined, bounceToken: undefined },
      ...{ allowsLocalCarriers, unusedProviders },
    };
  }
  return {
    mail: env.SMTP_URL ? mailOf(readEnvironment(mailVariables, env)) : undefined,
    carrier: env.CARRIER_URL ? carrierOf(readEnvironment(carrierVariables, env)) : undefined,
    bounceToken: readEnvironment({ BOUNCE_TOKEN }, env).BOUNCE_TOKEN,
    allowsLocalCarriers,
    unusedProviders: [],
  };
}
