import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';
import { networkOf } from '@crm/service';
import { noteEvent } from '../security-events/note-event.ts';
import type { Origin } from '../security-events/security-event.queries.ts';
import { cookieNames, secretIn } from './cookies.ts';
import { type Credentials, credentialsByEmail, holdCredentials } from './credentials.queries.ts';
import { isKnownDevice } from './known-device.queries.ts';
import {
  levelAfterFailure,
  type Patience,
  patienceWithAccount,
  patienceWithAddress,
  secondsToWait,
} from './sign-in-delay.ts';
import {
  type Failures,
  failuresOf,
  forgetFailures,
  lockSubjects,
  recordFailure,
} from './sign-in-failure.queries.ts';

export interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly request: Origin;
}

interface Refusal {
  readonly waitSeconds: number;
}

/** The result of comparing a password. It is not an outcome yet, because other attempts may have failed meanwhile. */
export type Checked = Credentials | Refusal | 'too many' | 'wrong';

export type Outcome = { readonly userId: number } | Refusal | 'too many' | 'wrong';

/**
 * Compares a password outside a transaction. An unknown user, a disabled user and a wrong password take the same work;
 * an attempt that must wait takes none.
 */
export async function checkPassword(
  query: Query,
  { password, ...attempt }: Attempt,
  matches: (password: string, hash: string | undefined) => Promise<boolean | 'too many'>,
): Promise<Checked> {
  const { subjects, spelling } = await subjectsOf(query, attempt);
  const refusal = refusalOf(subjects, await failuresOf(query, hashesOf(subjects)));
  if (refusal) return refusal;
  const user = await credentialsByEmail(query, spelling);
  const isRight = await matches(password, user?.password_hash);
  if (isRight === 'too many') return isRight;
  return user && isRight ? user : 'wrong';
}

/**
 * Turns the result of a comparison into an outcome, in a transaction. Attempts compared at the same time are counted
 * one by one, and those after the last free one learn nothing, even if they were right.
 */
export async function settleAttempt(
  query: Query,
  attempt: Omit<Attempt, 'password'>,
  checked: Checked,
): Promise<Outcome> {
  if (checked === 'too many' || (checked !== 'wrong' && 'waitSeconds' in checked)) return checked;
  const { subjects, spelling } = await subjectsOf(query, attempt);
  const hashes = hashesOf(subjects);
  await lockSubjects(query, hashes);
  const failures = await failuresOf(query, hashes);
  const refusal = refusalOf(subjects, failures);
  if (refusal) return refusal;
  if (checked !== 'wrong') {
    const now = await holdCredentials(query, spelling);
    // The password may have been changed, or the account disabled, since the comparison.
    if (now?.password_hash !== checked.password_hash) return 'wrong';
    await forgetFailures(query, hashes[0] ?? '');
    return { userId: checked.id };
  }
  for (const { hash, patience } of subjects)
    await recordFailure(query, hash, levelAfterFailure(failures.get(hash) ?? none, patience));
  const user = await credentialsByEmail(query, spelling);
  if (user) await noteEvent(query, { userId: user.id, kind: 'sign-in failed', origin: attempt.request });
  return 'wrong';
}

interface Subject {
  readonly hash: string;
  readonly patience: Patience;
}

/**
 * The subjects that failures are counted for, the account first. A browser in which the user has signed in is counted
 * on its own, so that nobody else can delay the user there.
 */
async function subjectsOf(query: Query, { email, request }: Omit<Attempt, 'password'>) {
  const device = secretIn(request, cookieNames.device);
  // One spelling is both counted and looked up, so that other spellings give no further attempts.
  const spelling = email.toLowerCase();
  const isKnown = device !== undefined && (await isKnownDevice(query, device, spelling));
  const subjects: readonly Subject[] = isKnown
    ? [{ hash: hashOfToken(`device ${device} ${spelling}`), patience: patienceWithAccount }]
    : [
        { hash: hashOfToken(`account ${spelling}`), patience: patienceWithAccount },
        { hash: hashOfToken(`network ${networkOf(request.address)}`), patience: patienceWithAddress },
      ];
  return { subjects, spelling };
}

const hashesOf = (subjects: readonly Subject[]) => subjects.map(({ hash }) => hash);

const none: Failures = { level: 0, quietSeconds: 0 };

function refusalOf(subjects: readonly Subject[], failures: ReadonlyMap<string, Failures>) {
  const waits = subjects.map(({ hash, patience }) => secondsToWait(failures.get(hash) ?? none, patience));
  const waitSeconds = Math.ceil(Math.max(...waits));
  return waitSeconds > 0 ? { waitSeconds } : undefined;
}
