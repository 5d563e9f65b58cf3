import { implement } from '@crm/service';
import { communicationApi } from './communication.api.ts';

export const communicationHandlers = implement(communicationApi, {
  find: async () => {
    throw new Error('not built yet');
  },
  get: async () => {
    throw new Error('not built yet');
  },
  patch: async () => {
    throw new Error('not built yet');
  },
});
