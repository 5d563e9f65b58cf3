import { randomBytes } from 'node:crypto';
import { hashPassword, isPassword } from '../users/password.ts';

interface Hashing {
  readonly hashPassword: (password: string) => Promise<string>;
  readonly isPassword: (password: string, phcString: string) => Promise<boolean>;
}

/**
 * Compares a password with the hash of a user. For an unknown user or one without a password, it compares with a hash
 * that no password matches, so that the work, and therefore the time, is the same.
 */
export function passwordCheck(hashing: Hashing = { hashPassword, isPassword }) {
  let unmatched: Promise<string> | undefined;
  return async (password: string, passwordHash: string | undefined): Promise<boolean> => {
    // Created by the first attempt, for known and unknown users alike.
    unmatched ??= hashing.hashPassword(randomBytes(32).toString('base64'));
    const otherwise = await unmatched.catch((error: unknown) => {
      // The next attempt may have the memory that this one lacked.
      unmatched = undefined;
      throw error;
    });
    return hashing.isPassword(password, passwordHash || otherwise);
  };
}
