import { refusal } from '@crm/contract';

export const tooManyCodes = refusal(
  'TooManyRequests',
  'Too many codes were sent for this phone number or this user. Try again later.',
  {
    reason: 'too_many_codes',
    when: 'Several codes were sent in a short time to confirm a phone number.',
    fix: 'Use the last code that arrived, or ask for another one after `Retry-After`.',
    example: 'POST /me/phone/code\n\n{}',
    given: 'it was sent several times in a row',
  },
);
export const nothingToConfirm = refusal('Conflict', 'No phone number is awaiting confirmation.', {
  reason: 'nothing_to_confirm',
  when: 'A code is sent or requested, but the phone number was not changed or is already confirmed.',
  fix: 'Change the phone number first: `PATCH /me` with `phone`.',
  example: 'POST /me/phone/code\n\n{}',
});
