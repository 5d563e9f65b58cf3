import { refusal } from '@crm/contract';

export const tooManyCodes = refusal(
  'TooManyRequests',
  'Too many codes were sent for this phone number or this user. Try again later.',
);
export const nothingToConfirm = refusal('Conflict', 'No phone number waits for confirmation.');
