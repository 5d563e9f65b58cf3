import { randomBytes } from 'node:crypto';
import { hashPassword, isPassword } from '../users/password.ts';

export interface Hashing {
  readonly hashPassword: (password: string) => Promise<string>;
  readonly isPassword: (password: string, phcString: string) => Promise<boolean>;
}

/**
 * Compares a password with the hash of a user, or with a hash that nothing fits where there is no such user:
 * the work, and so the time, is the same.
 */
export function passwordCheck(hashing: Hashing = { hashPassword, isPassword }) {
  let nobodys: Promise<string> | undefined;
  return async (password: string, passwordHash: string | undefined): Promise<boolean> => {
    // Made by whoever comes first, known or not.
    nobodys ??= hashing.hashPassword(randomBytes(32).toString('base64'));
    const otherwise = await nobodys;
    return hashing.isPassword(password, passwordHash ?? otherwise);
  };
}
