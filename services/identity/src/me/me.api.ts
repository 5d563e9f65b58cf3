import { flag, id, instant, integer, operation, text, timeZone } from '@crm/contract';
import { z } from 'zod';
import { nothingToConfirm, tooManyCodes } from '../phones/phone.api.ts';

const name = text(255).nullable();

/** The fields that users may change in their own account. */
const profile = {
  first_name: name,
  last_name: name,
  phone: name.describe(
    'Where texts and calls to the user go, in E.164; requests may use another notation, such as (415) 555-2671',
  ),
  timezone: timeZone,
  has_text_alerts: flag.describe(
    'Whether alerts about leads and tasks may be sent as texts; if not, they are e-mailed',
  ),
  has_call_alerts: flag.describe(
    'Whether alerts about leads and tasks may be calls; if not, they are e-mailed',
  ),
};

export const CurrentUserView = z.object({
  id,
  ...profile,
  pending_phone: name.describe(
    'The number that replaces `phone` once it is confirmed with the code that was sent to it. Until then nothing else is sent there',
  ),
  pending_phone_problem: name.describe('Why the code may not have arrived'),
  email: text(255),
  timezone_offset: integer.describe('Hours east of UTC now, rounded down; `timezone` is exact'),
  created_at: instant,
  modified_at: instant,
});

export const meApi = {
  get: operation({
    rest: 'GET /me',
    summary: 'Read the user an access token belongs to',
    input: z.object({}),
    output: CurrentUserView,
  }),
  patch: operation({
    rest: 'PATCH /me',
    personal: true,
    summary: 'Change the user an access token belongs to; a new phone number may have to be confirmed',
    input: z.object(profile).partial(),
    output: CurrentUserView,
    refuses: [tooManyCodes],
  }),
  sendPhoneCode: operation({
    rest: 'POST /me/phone/code',
    dryRun: false,
    personal: true,
    summary: 'Send another code to the number awaiting confirmation',
    input: z.object({}),
    output: CurrentUserView,
    creates: false,
    refuses: [nothingToConfirm, tooManyCodes],
  }),
  confirmPhone: operation({
    rest: 'POST /me/phone/confirm',
    dryRun: false,
    personal: true,
    summary: 'Confirm the pending phone number with the code that was sent to it',
    input: z.object({ code: text(20).describe('Six digits') }),
    output: CurrentUserView,
    creates: false,
    refuses: [nothingToConfirm],
  }),
};
