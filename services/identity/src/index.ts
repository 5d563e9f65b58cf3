import { problemsIn } from '@crm/dispatch';
import { auditEventHandlers, causeHandlers, proceduresOf, type ServiceDefinition } from '@crm/service';
import { accountHandlers } from './accounts/account.handlers.ts';
import { tokenHandlers } from './accounts/token.handlers.ts';
import { actorHandlers } from './actors/actor.handlers.ts';
import { tokenUses } from './actors/token-uses.ts';
import { identityApi } from './api.ts';
import { applicationHandlers } from './applications/application.handlers.ts';
import { removedApplicationsWorker } from './applications/forget-removed-applications.ts';
import { calendarFeedHandlers } from './calendar-feeds/calendar-feed.handlers.ts';
import { forgetEnded } from './forget-ended.ts';
import { keyHandlers } from './keys/key.handlers.ts';
import { keyHolder } from './keys/signing-key.ts';
import { meHandlers } from './me/me.handlers.ts';
import { oauthHandlers } from './oauth/oauth.handlers.ts';
import { accountPageHandlers, assetHandlers } from './pages/account.handlers.ts';
import { brokerPageHandlers } from './pages/broker.handlers.ts';
import { connectedApplicationHandlers } from './pages/connected-application.handlers.ts';
import { consentHandlers } from './pages/consent.handlers.ts';
import { invitationPageHandlers } from './pages/invitation.handlers.ts';
import { ownApplicationHandlers } from './pages/own-application.handlers.ts';
import { passwordResetHandlers } from './pages/password-reset.handlers.ts';
import { paths } from './pages/paths.ts';
import { profilePageHandlers } from './pages/profile.handlers.ts';
import { securityPageHandlers } from './pages/security.handlers.ts';
import { signInHandlers, signOutHandlers } from './pages/sign-in.handlers.ts';
import { teamPageHandlers } from './pages/team.handlers.ts';
import { visitorHandlers } from './pages/visitor.handlers.ts';
import { renewResets } from './password-resets/password-reset.queries.ts';
import { resetTokenOf } from './password-resets/reset-token.ts';
import type { PhoneCodes } from './phones/send-code.ts';
import { accountMailHandlers } from './security-events/account-mail.handlers.ts';
import { mailTable } from './security-events/account-mail.queries.ts';
import { mailDispatcher } from './security-events/account-mail-dispatcher.ts';
import type { Links } from './security-events/mail-words.ts';
import { passwordAttempts } from './sessions/password-attempts.ts';
import type { IdentitySettings } from './settings.ts';
import { identityStore } from './store.ts';
import { subAccountHandlers } from './sub-accounts/sub-account.handlers.ts';
import { teamMemberHandlers } from './team-members/team-member.handlers.ts';
import { teamHandlers } from './teams/team.handlers.ts';
import { unreachableAddressHandlers } from './unreachable-addresses/unreachable-address.handlers.ts';
import { userHandlers } from './users/user.handlers.ts';

export { identityStore } from './store.ts';

/** The service that stores users, their access tokens and their rights. */
export function identityService({
  operatorToken,
  serviceTokens,
  subAccountKey,
  phoneCodeKey,
  publicUrl,
  mail,
  carrier,
}: IdentitySettings): ServiceDefinition {
  const phoneCodes = { secret: phoneCodeKey, carrier };
  const credentials = { ...serviceTokens, operator: operatorToken };
  const [keys, uses] = [keyHolder(), tokenUses()];
  const mailing = mail ? [mailDispatcher({ mail, publicUrl, links: linksOf(publicUrl, phoneCodeKey) })] : [];
  return {
    name: 'identity',
    procedures: proceduresOf(identityApi, {
      auditEvents: auditEventHandlers('identity'),
      causes: causeHandlers(identityStore.messages),
      ...pages({ publicUrl, subAccountKey, phoneCodes }),
      accountMails: accountMailHandlers,
      actors: actorHandlers({ keys, uses, credentials, subAccountKey }),
      applications: applicationHandlers,
      calendarFeeds: calendarFeedHandlers(publicUrl),
      keys: keyHandlers,
      me: meHandlers(phoneCodes),
      oauth: oauthHandlers(publicUrl),
      subAccounts: subAccountHandlers({ key: subAccountKey }),
      teamMembers: teamMemberHandlers,
      teams: teamHandlers,
      tokens: tokenHandlers,
      unreachableAddresses: unreachableAddressHandlers,
      visitors: visitorHandlers(publicUrl),
      users: { ...userHandlers, ...accountHandlers({ subAccountKey, linkSecret: phoneCodes.secret }) },
    }),
    store: identityStore,
    subscriptions: [],
    workers: [keys.worker, uses.worker, forgetEnded, removedApplicationsWorker, ...mailing],
    problems: (query) => problemsIn(query, mailTable),
  };
}

/** The targets of links in e-mails about accounts. */
const linksOf = (publicUrl: string, key: string): Links => ({
  security: publicUrl + paths.security,
  teams: publicUrl + paths.teams,
  resetOf: (mailKey) => publicUrl + paths.reset(resetTokenOf(key, mailKey)),
  renew: (query, mailKeys) => renewResets(query, mailKeys, key),
});

interface Pages {
  readonly publicUrl: string;
  readonly subAccountKey: string;
  readonly phoneCodes: PhoneCodes;
}

function pages({ publicUrl, subAccountKey, phoneCodes }: Pages) {
  const passwords = passwordAttempts();
  return {
    account: accountPageHandlers(publicUrl),
    assets: assetHandlers,
    brokers: brokerPageHandlers(publicUrl, { passwords, subAccountKey }),
    connectedApplications: connectedApplicationHandlers(publicUrl),
    consent: consentHandlers(publicUrl),
    invitations: invitationPageHandlers(publicUrl),
    ownApplications: ownApplicationHandlers(publicUrl),
    passwordResets: passwordResetHandlers(publicUrl, phoneCodes.secret, passwords),
    profile: profilePageHandlers(publicUrl, phoneCodes),
    security: securityPageHandlers(publicUrl, passwords),
    signIn: signInHandlers(publicUrl, passwords),
    signOut: signOutHandlers(publicUrl),
    teamPage: teamPageHandlers(publicUrl),
  };
}
