import { createHmac } from 'node:crypto';

/**
 * The secret of a link to choose a new password. It is derived when the e-mail is sent, so that the database contains
 * only its hash, from which no link can be made.
 */
export const resetTokenOf = (secret: string, mailKey: string): string =>
  createHmac('sha256', secret).update(`password reset ${mailKey}`).digest('base64url');
