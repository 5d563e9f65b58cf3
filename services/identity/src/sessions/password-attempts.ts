import type { Query } from '@crm/data';
import { atMost } from './at-most.ts';
import { passwordCheck } from './password-check.ts';
import { type Attempt, attemptSignIn } from './sign-in.ts';

/** Each takes 19 MiB and one of the four threads of Node. */
const maxAtOnce = 4;

/** Checks passwords wherever they are entered: all count together, and only a few are checked at once. */
export function passwordAttempts() {
  const matches = passwordCheck();
  const limited = atMost(maxAtOnce);
  return (query: Query, attempt: Attempt) => limited(() => attemptSignIn(query, attempt, matches));
}

export type PasswordAttempts = ReturnType<typeof passwordAttempts>;
