import type { Caller } from '@crm/client';
import type { RunningService } from '@crm/service';
import { forEachService, type ServiceName } from '../system/services.ts';

export type Starting = Readonly<Record<ServiceName, Promise<Pick<RunningService, 'call'>>>>;

/** Services start at the same time: a call waits until the called one has started, and fails if that does. */
export function callersTo(starting: () => Starting): Promise<Record<ServiceName, Caller>> {
  return forEachService(
    async (name): Promise<Caller> =>
      async (call) =>
        (await starting()[name]).call(call),
  );
}
