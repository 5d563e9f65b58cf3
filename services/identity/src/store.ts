import type { Store } from '@crm/data';
import { Application } from './applications/application.entity.ts';
import { ApplicationSecret } from './applications/application-secret.entity.ts';
import { CalendarFeed } from './calendar-feeds/calendar-feed.entity.ts';
import { Consent } from './consents/consent.entity.ts';
import { consistency } from './consistency.queries.ts';
import { Delegation } from './delegations/delegation.entity.ts';
import { AuthorizationCode } from './oauth/authorization-code.entity.ts';
import { mailTable } from './security-events/account-mail.queries.ts';
import { SubAccount } from './sub-accounts/sub-account.entity.ts';
import { TeamMember } from './team-members/team-member.entity.ts';
import { Team } from './teams/team.entity.ts';
import { RefreshToken } from './token-families/refresh-token.entity.ts';
import { TokenFamily } from './token-families/token-family.entity.ts';
import { AccessToken } from './tokens/access-token.entity.ts';
import { User } from './users/user.entity.ts';

export const identityStore: Store = {
  schema: 'identity',
  entities: [
    AccessToken,
    Application,
    ApplicationSecret,
    AuthorizationCode,
    CalendarFeed,
    Consent,
    Delegation,
    RefreshToken,
    SubAccount,
    Team,
    TeamMember,
    TokenFamily,
    User,
  ],
  // Databases store the names of applied migrations, so the gap in the numbers must stay.
  migrations: [
    { name: '0001-users-and-tokens', load: () => import('./migrations/0001-users-and-tokens.ts') },
    {
      name: '0002-teams-and-sub-accounts',
      load: () => import('./migrations/0002-teams-and-sub-accounts.ts'),
    },
    { name: '0003-oauth', load: () => import('./migrations/0003-oauth.ts') },
    { name: '0005-sessions', load: () => import('./migrations/0005-sessions.ts') },
    { name: '0006-calendar-feeds', load: () => import('./migrations/0006-calendar-feeds.ts') },
    { name: '0007-phone-codes', load: () => import('./migrations/0007-phone-codes.ts') },
    { name: '0008-delegations', load: () => import('./migrations/0008-delegations.ts') },
    { name: '0009-alert-preferences', load: () => import('./migrations/0009-alert-preferences.ts') },
    { name: '0010-no-sign-in-targets', load: () => import('./migrations/0010-no-sign-in-targets.ts') },
    { name: '0011-security-events', load: () => import('./migrations/0011-security-events.ts') },
    { name: '0012-known-devices', load: () => import('./migrations/0012-known-devices.ts') },
    { name: '0013-account-mails', load: () => import('./migrations/0013-account-mails.ts') },
    { name: '0030-deliveries', load: () => import('./migrations/0030-deliveries.ts') },
    { name: '0031-audit-events', load: () => import('./migrations/0031-audit-events.ts') },
    { name: '0040-doubtful-sendings', load: () => import('./migrations/0040-doubtful-sendings.ts') },
    { name: '0041-unreachable-addresses', load: () => import('./migrations/0041-unreachable-addresses.ts') },
    { name: '0046-rights-version', load: () => import('./migrations/0046-rights-version.ts') },
    { name: '0050-dead-letters', load: () => import('./migrations/0050-dead-letters.ts') },
    { name: '0066-waking-inserts', load: () => import('./migrations/0066-waking-inserts.ts') },
    { name: '0067-team-invitation-mails', load: () => import('./migrations/0067-team-invitation-mails.ts') },
    { name: '0080-causes', load: () => import('./migrations/0080-causes.ts') },
    { name: '0130-sparing-notifications', load: () => import('./migrations/0130-sparing-notifications.ts') },
    { name: '0150-partitions', load: () => import('./migrations/0150-partitions.ts') },
    { name: '0170-lost-events', load: () => import('./migrations/0170-lost-events.ts') },
    { name: '0250-missing-indexes', load: () => import('./migrations/0250-missing-indexes.ts') },
    { name: '0250-publish-again', load: () => import('./migrations/0250-publish-again.ts') },
    { name: '0270-doubtful-attempts', load: () => import('./migrations/0270-doubtful-attempts.ts') },
    { name: '0410-removed-applications', load: () => import('./migrations/0410-removed-applications.ts') },
    { name: '0420-ended-tokens', load: () => import('./migrations/0420-ended-tokens.ts') },
    { name: '0450-keys-of-resets', load: () => import('./migrations/0450-keys-of-resets.ts') },
  ],
  messages: [mailTable],
  consistency,
};
