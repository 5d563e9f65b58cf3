import { randomUUID } from 'node:crypto';
import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';
import { networkOf } from '@crm/service';
import { addMail, resetMinutes } from '../security-events/account-mail.queries.ts';
import { type Origin, recordEvent } from '../security-events/security-event.queries.ts';
import { credentialsByEmail } from '../sessions/credentials.queries.ts';
import { levelAfterFailure, type Patience } from '../sessions/sign-in-delay.ts';
import { failuresOf, lockSubjects, recordFailure } from '../sessions/sign-in-failure.queries.ts';
import { allowReset } from './password-reset.queries.ts';

/** Three links to one address, then one every half hour. */
const patienceWithAccount: Patience = { free: 3, forgiveSeconds: 1800 };
const patienceWithNetwork: Patience = { free: 10, forgiveSeconds: 360 };

interface Asking {
  readonly email: string;
  readonly request: Origin;
  /** The secret that the token of the link is derived from. */
  readonly secret: string;
}

/**
 * Sends a link to choose a new password if an account has the address. The result does not reveal if an account has it,
 * or if too many links were sent to it. Returns false if the network has sent too many requests.
 */
export async function requestReset(query: Query, { email, request, secret }: Asking): Promise<boolean> {
  const spelling = email.toLowerCase();
  const network = hashOfToken(`reset network ${networkOf(request.address)}`);
  const account = hashOfToken(`reset account ${spelling}`);
  await lockSubjects(query, [network, account]);
  if (!(await isWithin(query, network, patienceWithNetwork))) return false;
  const isSent = await isWithin(query, account, patienceWithAccount);
  const user = await credentialsByEmail(query, spelling);
  if (!isSent || !user) return true;
  const event = { userId: user.id, kind: 'password reset requested', origin: request } as const;
  const mailKey = randomUUID();
  await addMail(query, await recordEvent(query, event), mailKey);
  await allowReset(query, { userId: user.id, mailKey, secret, minutes: resetMinutes });
  return true;
}

/** Counts a request. Returns false, and does not count it, if there were too many. */
async function isWithin(query: Query, subject: string, patience: Patience): Promise<boolean> {
  const failures = (await failuresOf(query, [subject])).get(subject) ?? { level: 0, quietSeconds: 0 };
  const level = levelAfterFailure(failures, patience);
  if (level > patience.free) return false;
  await recordFailure(query, subject, level);
  return true;
}
