import type { Query } from '@crm/data';
import { networkOf } from '@crm/service';
import type { Origin } from '../security-events/security-event.queries.ts';
import { hashPassword } from '../users/password.ts';
import { fairSlots } from './fair-slots.ts';
import { passwordCheck } from './password-check.ts';
import { type Attempt, type Checked, checkPassword } from './sign-in.ts';

/** Each check takes 19 MiB and one of the four threads of Node. */
const slots = { atOnce: 4, waitingOfNetwork: 8, waitingOfAll: 200 };

/**
 * Checks and hashes passwords wherever users enter them: only a few at once, and never while a transaction or a lock
 * waits for the result.
 */
export function passwordAttempts() {
  const matches = passwordCheck();
  const inTurn = fairSlots(slots);
  return {
    attempt: (query: Query, attempt: Attempt): Promise<Checked> =>
      checkPassword(query, attempt, (password, hash) =>
        inTurn(networkOf(attempt.request.address), () => matches(password, hash)),
      ),
    /** The hash of a new password. */
    hash: ({ address }: Origin, password: string): Promise<string | 'too many'> =>
      inTurn(networkOf(address), () => hashPassword(password)),
  };
}

export type PasswordAttempts = ReturnType<typeof passwordAttempts>;
