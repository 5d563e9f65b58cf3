import { randomUUID } from 'node:crypto';
import type { Query } from '@crm/data';
import { addMail, invitationDays } from '../security-events/account-mail.queries.ts';
import { recordEvent } from '../security-events/security-event.queries.ts';
import { allowReset } from './password-reset.queries.ts';

/** Sends the user of a new account a link to choose a password. Its token is derived from the secret. */
export async function sendInvitation(query: Query, userId: number, secret: string): Promise<void> {
  const mailKey = randomUUID();
  await addMail(query, await recordEvent(query, { userId, kind: 'invited', origin: undefined }), mailKey);
  await allowReset(query, { userId, mailKey, secret, minutes: invitationDays * 24 * 60 });
}
