import { hotnessApi } from './hotnesses/hotness.api.ts';

/** All that contacts may be asked. */
export const contactsApi = {
  hotnesses: hotnessApi,
};
