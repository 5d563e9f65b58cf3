import { auditEventApi, causeApi, eventStream, type RouterOf } from '@crm/contract';
import { CloudEvent, identityEvents } from '@crm/events';
import { accountApi } from './accounts/account.api.ts';
import { actorApi } from './actors/actor.api.ts';
import { applicationApi } from './applications/application.api.ts';
import { calendarFeedApi } from './calendar-feeds/calendar-feed.api.ts';
import { keyApi } from './keys/key.api.ts';
import { meApi } from './me/me.api.ts';
import { oauthApi } from './oauth/oauth.api.ts';
import { accountPageApi, assetApi } from './pages/account.api.ts';
import { brokerPageApi, invitationPageApi } from './pages/broker.api.ts';
import { connectedApplicationApi } from './pages/connected-application.api.ts';
import { consentApi } from './pages/consent.api.ts';
import { ownApplicationApi } from './pages/own-application.api.ts';
import { passwordResetApi } from './pages/password-reset.api.ts';
import { profilePageApi } from './pages/profile.api.ts';
import { securityPageApi } from './pages/security.api.ts';
import { signInApi, signOutApi } from './pages/sign-in.api.ts';
import { teamPageApi } from './pages/team.api.ts';
import { visitorApi } from './pages/visitor.api.ts';
import { accountMailApi } from './security-events/account-mail.api.ts';
import { subAccountApi } from './sub-accounts/sub-account.api.ts';
import { teamMemberApi } from './team-members/team-member.api.ts';
import { teamApi } from './teams/team.api.ts';
import { tokenApi } from './tokens/token.api.ts';
import { unreachableAddressApi } from './unreachable-addresses/unreachable-address.api.ts';
import { userApi } from './users/user.api.ts';

/** All operations of identity. */
export const identityApi = {
  account: accountPageApi,
  accountMails: accountMailApi,
  actors: actorApi,
  applications: applicationApi,
  assets: assetApi,
  auditEvents: auditEventApi,
  causes: causeApi,
  brokers: brokerPageApi,
  calendarFeeds: calendarFeedApi,
  connectedApplications: connectedApplicationApi,
  consent: consentApi,
  events: eventStream(CloudEvent, identityEvents),
  invitations: invitationPageApi,
  keys: keyApi,
  me: meApi,
  oauth: oauthApi,
  ownApplications: ownApplicationApi,
  passwordResets: passwordResetApi,
  profile: profilePageApi,
  security: securityPageApi,
  signIn: signInApi,
  signOut: signOutApi,
  subAccounts: subAccountApi,
  teamMembers: teamMemberApi,
  teamPage: teamPageApi,
  teams: teamApi,
  tokens: tokenApi,
  unreachableAddresses: unreachableAddressApi,
  users: { ...userApi, ...accountApi },
  visitors: visitorApi,
};

/** For a client of tRPC: `createTRPCClient<IdentityRouter>`. */
export type IdentityRouter = RouterOf<typeof identityApi>;
