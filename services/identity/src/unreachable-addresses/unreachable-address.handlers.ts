import { implement } from '@crm/service';
import { unreachableAddressApi } from './unreachable-address.api.ts';
import { noteUnreachable } from './unreachable-address.queries.ts';

export const unreachableAddressHandlers = implement(unreachableAddressApi, {
  note: async ({ query }, unreachable) => {
    await noteUnreachable(query, unreachable);
    return {};
  },
});
