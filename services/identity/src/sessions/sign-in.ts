import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';
import { credentialsByEmail } from './credentials.queries.ts';
import { networkOf } from './network.ts';
import {
  levelAfterFailure,
  patienceWithAccount,
  patienceWithAddress,
  secondsToWait,
} from './sign-in-delay.ts';
import { forgetFailures, holdFailures, noteFailure } from './sign-in-failure.queries.ts';

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** Of the network, where it comes from. */
  readonly address: string;
}

type Outcome = { readonly userId: number } | { readonly waitSeconds: number } | 'wrong';

/**
 * Finds out whether a password is that of a user, and remembers when it is not. The answer for somebody
 * unknown, disabled or mistyped is one and the same, and so is the work that leads to it.
 */
export async function attemptSignIn(
  query: Query,
  { email, password, address }: Attempt,
  fits: (password: string, hash: string | undefined) => Promise<boolean>,
): Promise<Outcome> {
  // One spelling for the count and for the search, so that no other one is counted apart.
  const spelling = email.toLowerCase();
  const account = hashOfToken(`account ${spelling}`);
  const network = hashOfToken(`network ${networkOf(address)}`);
  const held = await holdFailures(query, [account, network]);
  const subjects = [
    { hash: account, patience: patienceWithAccount },
    { hash: network, patience: patienceWithAddress },
  ].map((subject) => ({ ...subject, failures: held.get(subject.hash) ?? { level: 0, quietSeconds: 0 } }));

  const waitSeconds = Math.max(
    ...subjects.map(({ failures, patience }) => secondsToWait(failures, patience)),
  );
  if (waitSeconds > 0) return { waitSeconds: Math.ceil(waitSeconds) };

  const user = await credentialsByEmail(query, spelling);
  const isRight = await fits(password, user?.passwordHash);
  if (user && isRight) {
    await forgetFailures(query, account);
    return { userId: user.id };
  }
  for (const { hash, failures, patience } of subjects)
    await noteFailure(query, hash, levelAfterFailure(failures, patience));
  return 'wrong';
}
