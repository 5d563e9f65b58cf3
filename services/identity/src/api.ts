import { meApi } from './me/me.api.ts';

/** All that identity may be asked. */
export const identityApi = {
  me: meApi,
};
