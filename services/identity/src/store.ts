import type { Store } from '@crm/data';
import { Application } from './applications/application.entity.ts';
import { ApplicationSecret } from './applications/application-secret.entity.ts';
import { CalendarFeed } from './calendar-feeds/calendar-feed.entity.ts';
import { Consent } from './consents/consent.entity.ts';
import { Delegation } from './delegations/delegation.entity.ts';
import { UsersAndTokens } from './migrations/0001-users-and-tokens.ts';
import { TeamsAndSubAccounts } from './migrations/0002-teams-and-sub-accounts.ts';
import { OAuth } from './migrations/0003-oauth.ts';
import { Sessions } from './migrations/0005-sessions.ts';
import { CalendarFeeds } from './migrations/0006-calendar-feeds.ts';
import { PhoneCodes } from './migrations/0007-phone-codes.ts';
import { Delegations } from './migrations/0008-delegations.ts';
import { AlertPreferences } from './migrations/0009-alert-preferences.ts';
import { NoSignInTargets } from './migrations/0010-no-sign-in-targets.ts';
import { SecurityEvents } from './migrations/0011-security-events.ts';
import { KnownDevices } from './migrations/0012-known-devices.ts';
import { AccountMails } from './migrations/0013-account-mails.ts';
import { Deliveries } from './migrations/0030-deliveries.ts';
import { AuditEvents } from './migrations/0031-audit-events.ts';
import { DoubtfulSendings } from './migrations/0040-doubtful-sendings.ts';
import { UnreachableAddresses } from './migrations/0041-unreachable-addresses.ts';
import { RightsVersion } from './migrations/0046-rights-version.ts';
import { DeadLetters } from './migrations/0050-dead-letters.ts';
import { WakingInserts } from './migrations/0066-waking-inserts.ts';
import { TeamInvitationMails } from './migrations/0067-team-invitation-mails.ts';
import { Causes } from './migrations/0080-causes.ts';
import { SparingNotifications } from './migrations/0130-sparing-notifications.ts';
import { Partitions } from './migrations/0150-partitions.ts';
import { LostEvents } from './migrations/0170-lost-events.ts';
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
  // Applied databases know these names, so the gap in the numbers stays.
  migrations: [
    { name: '0001-users-and-tokens', class: UsersAndTokens },
    { name: '0002-teams-and-sub-accounts', class: TeamsAndSubAccounts },
    { name: '0003-oauth', class: OAuth },
    { name: '0005-sessions', class: Sessions },
    { name: '0006-calendar-feeds', class: CalendarFeeds },
    { name: '0007-phone-codes', class: PhoneCodes },
    { name: '0008-delegations', class: Delegations },
    { name: '0009-alert-preferences', class: AlertPreferences },
    { name: '0010-no-sign-in-targets', class: NoSignInTargets },
    { name: '0011-security-events', class: SecurityEvents },
    { name: '0012-known-devices', class: KnownDevices },
    { name: '0013-account-mails', class: AccountMails },
    { name: '0030-deliveries', class: Deliveries },
    { name: '0031-audit-events', class: AuditEvents },
    { name: '0040-doubtful-sendings', class: DoubtfulSendings },
    { name: '0041-unreachable-addresses', class: UnreachableAddresses },
    { name: '0046-rights-version', class: RightsVersion },
    { name: '0050-dead-letters', class: DeadLetters },
    { name: '0066-waking-inserts', class: WakingInserts },
    { name: '0067-team-invitation-mails', class: TeamInvitationMails },
    { name: '0080-causes', class: Causes },
    { name: '0130-sparing-notifications', class: SparingNotifications },
    { name: '0150-partitions', class: Partitions },
    { name: '0170-lost-events', class: LostEvents },
  ],
  messages: [mailTable],
};
