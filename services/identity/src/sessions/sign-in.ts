import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';
import { networkOf } from '@crm/service';
import { credentialsByEmail } from './credentials.queries.ts';
import {
  levelAfterFailure,
  patienceWithAccount,
  patienceWithAddress,
  secondsToWait,
} from './sign-in-delay.ts';
import { forgetFailures, lockFailures, recordFailure } from './sign-in-failure.queries.ts';

export interface Attempt {
  readonly email: string;
  readonly password: string;
  /** The network address that it comes from. */
  readonly address: string;
}

type Outcome = { readonly userId: number } | { readonly waitSeconds: number } | 'wrong';

/**
 * Checks a password and counts failures. An unknown user, a disabled user and a wrong password have the same outcome
 * and take the same work.
 */
export async function attemptSignIn(
  query: Query,
  { email, password, address }: Attempt,
  matches: (password: string, hash: string | undefined) => Promise<boolean>,
): Promise<Outcome> {
  // The same spelling is counted and looked up, so that another spelling gets no further attempts.
  const spelling = email.toLowerCase();
  const account = hashOfToken(`account ${spelling}`);
  const network = hashOfToken(`network ${networkOf(address)}`);
  const locked = await lockFailures(query, [account, network]);
  const subjects = [
    { hash: account, patience: patienceWithAccount },
    { hash: network, patience: patienceWithAddress },
  ].map((subject) => ({ ...subject, failures: locked.get(subject.hash) ?? { level: 0, quietSeconds: 0 } }));

  const waitSeconds = Math.max(
    ...subjects.map(({ failures, patience }) => secondsToWait(failures, patience)),
  );
  if (waitSeconds > 0) return { waitSeconds: Math.ceil(waitSeconds) };

  const user = await credentialsByEmail(query, spelling);
  const isRight = await matches(password, user?.password_hash);
  if (user && isRight) {
    await forgetFailures(query, account);
    return { userId: user.id };
  }
  for (const { hash, failures, patience } of subjects)
    await recordFailure(query, hash, levelAfterFailure(failures, patience));
  return 'wrong';
}
