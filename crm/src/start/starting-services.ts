import type { CallService } from '@crm/client';
import type { RunningService } from '@crm/service';
import { forEachService, type ServiceName } from '../system/services.ts';

export type Starting = Readonly<Record<ServiceName, Promise<Pick<RunningService, 'call'>>>>;

/** Services start at the same time: a call waits until the called one has started, and fails if that does. */
export function servicesTo(starting: () => Starting): Promise<Record<ServiceName, CallService>> {
  return forEachService(
    async (name): Promise<CallService> =>
      async (call) =>
        (await starting()[name]).call(call),
  );
}
