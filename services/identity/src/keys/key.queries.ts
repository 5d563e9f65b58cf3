import type { Query } from '@crm/data';
import type { JWK } from 'jose';

interface ListedKey {
  readonly kid: string;
  readonly jwk: JWK;
  readonly expiresAt: Date;
}

export async function publishKey(query: Query, { kid, jwk, expiresAt }: ListedKey): Promise<void> {
  await query('insert into signing_keys (kid, public_jwk, expires_at) values ($1, $2, $3)', [
    kid,
    JSON.stringify(jwk),
    expiresAt,
  ]);
}

export async function forgetExpiredKeys(query: Query): Promise<void> {
  await query('delete from signing_keys where expires_at < now()', []);
}

export async function listedKeys(query: Query): Promise<JWK[]> {
  const rows = await query('select public_jwk from signing_keys where expires_at > now()', []);
  return rows.map((row) => row.public_jwk as JWK);
}
