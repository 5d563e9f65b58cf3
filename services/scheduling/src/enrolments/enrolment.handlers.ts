import { implement } from '@crm/service';
import { enrolmentApi } from './enrolment.api.ts';

export const enrolmentHandlers = implement(enrolmentApi, {
  enrol: async () => {
    throw new Error('not built yet');
  },
  preview: async () => {
    throw new Error('not built yet');
  },
  stop: async () => {
    throw new Error('not built yet');
  },
});
