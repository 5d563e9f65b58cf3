import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';

const Credentials = z.object({ id: z.int(), password_hash: z.string() });
export type Credentials = Readonly<z.output<typeof Credentials>>;

/**
 * The credentials for an e-mail address in lower case; undefined if its user is unknown or disabled.
 */
export function credentialsByEmail(query: Query, email: string): Promise<Credentials | undefined> {
  return queryFirst(query, Credentials, byEmail, [email]);
}

/** The same, and prevents a change of the password and disabling of the account until the transaction ends. */
export function holdCredentials(query: Query, email: string): Promise<Credentials | undefined> {
  return queryFirst(query, Credentials, `${byEmail} for share`, [email]);
}

const byEmail = 'select id, password_hash from users where lower(email) = $1 and disabled_at is null';
