import { actorApi } from './actors/actor.api.ts';
import { keyApi } from './keys/key.api.ts';
import { meApi } from './me/me.api.ts';
import { tokenApi } from './tokens/token.api.ts';
import { userApi } from './users/user.api.ts';

/** All that identity may be asked. */
export const identityApi = {
  actors: actorApi,
  keys: keyApi,
  me: meApi,
  tokens: tokenApi,
  users: userApi,
};
