import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { UsersAndTokens } from './migrations/0001-users-and-tokens.ts';
import { TeamsAndSubAccounts } from './migrations/0002-teams-and-sub-accounts.ts';
import { Sessions } from './migrations/0005-sessions.ts';
import { SubAccount } from './sub-accounts/sub-account.entity.ts';
import { TeamMember } from './team-members/team-member.entity.ts';
import { Team } from './teams/team.entity.ts';
import { AccessToken } from './tokens/access-token.entity.ts';
import { User } from './users/user.entity.ts';

export const identityStore: Store = {
  schema: 'identity',
  entities: [AccessToken, OutboxMessage, SubAccount, Team, TeamMember, User],
  migrations: [
    { name: '0001-users-and-tokens', class: UsersAndTokens },
    { name: '0002-teams-and-sub-accounts', class: TeamsAndSubAccounts },
    { name: '0005-sessions', class: Sessions },
  ],
};
