import type { DeliveryConfig } from '@crm/delivery';
import type { BrokerUrls } from '../system/broker-urls.ts';
import type { Secrets } from '../system/secrets.ts';
import type { ServiceName } from '../system/services.ts';
import type { EmergencyExit } from './emergency-exit.ts';
import type { Progress } from './progress.ts';
import type { StartConfig } from './start-config.ts';

/** The servers that services use. */
export interface Infrastructure {
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  /** With the user of each service and of the crm command. */
  readonly natsUrls: BrokerUrls;
  readonly versions: { readonly postgres?: string; readonly nats?: string };
}

/** What services and the gateway need in order to start, in one process or in several. */
export interface Plan {
  readonly config: StartConfig;
  readonly infrastructure: Infrastructure;
  readonly secrets: Secrets;
  readonly delivery: DeliveryConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly emergency: EmergencyExit;
  /** Cleanups for the end, run in reverse order. */
  readonly ends: AsyncDisposableStack;
}

/** Where everything listens. */
export interface Addresses {
  readonly gateway: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  /** The page of the local carriers, if they run. */
  readonly messages?: string | undefined;
}
