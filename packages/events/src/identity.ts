import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'identity'>();

export { events as identityEvents };

const user = z.object({ user_id: z.int() });
export const userCreated = defineEvent('identity.user.created', 'An account was created', user);
export const userChanged = defineEvent(
  'identity.user.changed',
  'The name, phone, time zone, broker status or password of an account was changed',
  user,
);
export const userDisabled = defineEvent(
  'identity.user.disabled',
  'An account was disabled, and everything that could act on its behalf was revoked',
  user,
);
export const userEnabled = defineEvent('identity.user.enabled', 'A disabled account was enabled again', user);

export const accessTokenRevoked = defineEvent(
  'identity.access-token.revoked',
  'An access token was revoked before it expired',
  z.object({ access_token_id: z.int(), user_id: z.int() }),
);

const team = z.object({
  team_id: z.int(),
  creator_user_id: z.int(),
  is_contact_resource_sharing_enabled: z.boolean(),
  order_method: z.string(),
});
export const teamCreated = defineEvent('identity.team.created', 'A team was created', team);
export const teamChanged = defineEvent('identity.team.changed', 'The settings of a team were changed', team);
export const teamRemoved = defineEvent('identity.team.removed', 'A team was removed with its members', team);

const teamMember = z.object({
  team_member_id: z.int(),
  team_id: z.int(),
  user_id: z.int(),
  request_status: z.string(),
});
export const teamMemberInvited = defineEvent(
  'identity.team-member.invited',
  'A user was invited to a team',
  teamMember,
);
export const teamMemberAnswered = defineEvent(
  'identity.team-member.answered',
  'A user accepted or declined an invitation, or changed their response',
  teamMember,
);
export const teamMemberRemoved = defineEvent(
  'identity.team-member.removed',
  'A user left a team or was removed from it, or an invitation was withdrawn',
  teamMember,
);

const subAccount = z.object({ sub_account_id: z.int(), broker_user_id: z.int(), user_id: z.int() });
export const subAccountCreated = defineEvent(
  'identity.sub-account.created',
  'A user became a sub-account of a broker',
  subAccount,
);
export const subAccountRemoved = defineEvent(
  'identity.sub-account.removed',
  'A sub-account was removed, and its access token no longer works',
  subAccount,
);

const delegation = z.object({ delegation_id: z.int(), broker_user_id: z.int(), user_id: z.int() });
export const delegationGiven = defineEvent(
  'identity.delegation.given',
  'A user, or the operator on behalf of the user, allowed a broker to act for the user',
  delegation,
);
export const delegationEnded = defineEvent(
  'identity.delegation.ended',
  "A broker may no longer act for a user; shares and assignments made in the user's name are undone, unless the account of the user was disabled",
  delegation.extend({
    // Events of an older version do not have it.
    is_user_disabled: z
      .boolean()
      .optional()
      .describe('Whether it ended because the account of the user was disabled'),
  }),
);

const application = z.object({ application_id: z.int(), owner_user_id: z.int() });
export const applicationCreated = defineEvent(
  'identity.application.created',
  'An application was registered',
  application,
);
export const applicationChanged = defineEvent(
  'identity.application.changed',
  'An application or its secrets were changed',
  application,
);
export const applicationRemoved = defineEvent(
  'identity.application.removed',
  'An application was removed with its consents and tokens',
  application,
);

const consent = z.object({
  consent_id: z.int(),
  user_id: z.int(),
  application_id: z.int(),
  scope: z.string(),
});
export const consentGiven = defineEvent(
  'identity.consent.given',
  'A user allowed an application to act on their behalf',
  consent,
);
export const consentWithdrawn = defineEvent(
  'identity.consent.withdrawn',
  'A consent ended, because its user withdrew it, changed the password or was disabled; the tokens of the application for this user no longer work',
  consent,
);

export const tokenFamilyRevoked = defineEvent(
  'identity.token-family.revoked',
  'All tokens of one authorization were revoked, on request or because a code or refresh token was used twice',
  z.object({
    token_family_id: z.int(),
    user_id: z.int(),
    application_id: z.int(),
    cause: z.enum(['request', 'code used twice', 'refresh token used twice']),
  }),
);

const calendarFeed = z.object({ calendar_feed_id: z.int(), user_id: z.int() });
export const calendarFeedCreated = defineEvent(
  'identity.calendar-feed.created',
  'A link to the calendar of a user was created, replacing the previous one',
  calendarFeed,
);
export const calendarFeedRemoved = defineEvent(
  'identity.calendar-feed.removed',
  'The link to the calendar of a user was revoked',
  calendarFeed,
);
