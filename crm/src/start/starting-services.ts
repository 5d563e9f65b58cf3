import type { CallService } from '@crm/client';
import type { RunningService } from '@crm/service';
import { eachService, type ServiceName } from '../system/services.ts';

export type Starting = Readonly<Record<ServiceName, Promise<Pick<RunningService, 'call'>>>>;

/** Services start concurrently: a call waits until the called service has started, and fails if that fails. */
export function servicesTo(starting: () => Starting): Record<ServiceName, CallService> {
  return eachService((name) => async (call) => (await starting()[name]).call(call));
}
