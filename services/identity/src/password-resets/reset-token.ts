import { createHmac } from 'node:crypto';

/**
 * The secret of a link to choose a new password. It is derived when its e-mail is sent, so that the database contains only
 * its hash and cannot be used to make one.
 */
export const resetTokenOf = (secret: string, mailKey: string): string =>
  createHmac('sha256', secret).update(`password reset ${mailKey}`).digest('base64url');
