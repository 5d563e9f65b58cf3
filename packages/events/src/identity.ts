import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'identity'>();

export { events as identityEvents };

const user = z.object({ user_id: z.int() });
export const userCreated = defineEvent('identity.user.created', 'An account was made', user);
export const userChanged = defineEvent(
  'identity.user.changed',
  'The name, the zone, the status as a broker or the password of an account was changed',
  user,
);
export const userDisabled = defineEvent(
  'identity.user.disabled',
  'An account ended for now, with all that could act for it',
  user,
);
export const userEnabled = defineEvent('identity.user.enabled', 'A disabled account works again', user);

export const accessTokenRevoked = defineEvent(
  'identity.access-token.revoked',
  'An access token stopped working before its time',
  z.object({ access_token_id: z.int(), user_id: z.int() }),
);

const team = z.object({
  team_id: z.int(),
  creator_user_id: z.int(),
  is_contact_resource_sharing_enabled: z.boolean(),
  order_method: z.string(),
});
export const teamCreated = defineEvent('identity.team.created', 'A team was made', team);
export const teamChanged = defineEvent('identity.team.changed', 'A team’s settings were changed', team);
export const teamRemoved = defineEvent('identity.team.removed', 'A team is gone, with its members', team);

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
  'A user answered an invitation, or changed the answer',
  teamMember,
);
export const teamMemberRemoved = defineEvent(
  'identity.team-member.removed',
  'A user is no longer in a team, or an invitation was taken back',
  teamMember,
);

const subAccount = z.object({ sub_account_id: z.int(), broker_user_id: z.int(), user_id: z.int() });
export const subAccountCreated = defineEvent(
  'identity.sub-account.created',
  'A broker took a user in',
  subAccount,
);
export const subAccountRemoved = defineEvent(
  'identity.sub-account.removed',
  'A broker let a user go; the access token of the sub-account is dead',
  subAccount,
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
  'An application is gone, with its consents and tokens',
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
  'A user let an application act for them',
  consent,
);
export const consentWithdrawn = defineEvent(
  'identity.consent.withdrawn',
  'A user took that back; the tokens of the application for this user are dead',
  consent,
);

export const tokenFamilyRevoked = defineEvent(
  'identity.token-family.revoked',
  'All tokens of one approval were revoked: on request, or because a code or a refresh token was used twice',
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
  'The calendar of a user got a link; the one before works no more',
  calendarFeed,
);
export const calendarFeedRemoved = defineEvent(
  'identity.calendar-feed.removed',
  'The link of the calendar of a user was revoked',
  calendarFeed,
);
