import type { Query } from '@crm/data';

interface Credentials {
  readonly id: number;
  readonly passwordHash: string;
}

/** The credentials for an e-mail address in lower case; undefined if its user is unknown or disabled. */
export async function credentialsByEmail(query: Query, email: string): Promise<Credentials | undefined> {
  const [row] = await query(
    'select id, password_hash from users where lower(email) = $1 and disabled_at is null',
    [email],
  );
  return row && { id: Number(row.id), passwordHash: String(row.password_hash) };
}
