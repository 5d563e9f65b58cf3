import type { DeliveryConfig } from '@crm/delivery';
import type { Secrets } from '../system/secrets.ts';
import type { ServiceName } from '../system/services.ts';
import type { EmergencyExit } from './emergency-exit.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Progress } from './progress.ts';
import type { StartConfig } from './start-config.ts';

/** What services and the gateway need to start, in one process or in several. */
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
