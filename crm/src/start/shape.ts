import type { DeliveryConfig } from '@crm/delivery';
import type { Secrets } from '../system/secrets.ts';
import type { ServiceName } from '../system/services.ts';
import type { EmergencyExit } from './emergency-exit.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Progress } from './progress.ts';
import type { StartConfig } from './start-config.ts';

/** What services and gateway are started with, in one process or in several. */
export interface Plan {
  readonly config: StartConfig;
  readonly infrastructure: Infrastructure;
  readonly secrets: Secrets;
  readonly delivery: DeliveryConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly emergency: EmergencyExit;
  /** What must be undone at the end, the latest first. */
  readonly ends: AsyncDisposableStack;
}

/** Where everything listens. */
export interface Addresses {
  readonly gateway: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  /** The page of the local carriers, if there are such. */
  readonly messages?: string | undefined;
}
