import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { UsersAndTokens } from './migrations/0001-users-and-tokens.ts';
import { AccessToken } from './tokens/access-token.entity.ts';
import { User } from './users/user.entity.ts';

export const identityStore: Store = {
  schema: 'identity',
  entities: [AccessToken, OutboxMessage, User],
  migrations: [{ name: '0001-users-and-tokens', class: UsersAndTokens }],
};
