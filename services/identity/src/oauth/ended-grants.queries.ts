import type { Query } from '@crm/data';

/** Codes are kept for a day after their minute, so that a late second use is known as one. */
export async function forgetCodes(query: Query): Promise<void> {
  await query("delete from authorization_codes where expires_at < now() - interval '1 day'", []);
  await query(
    `delete from token_families f where f.created_at < now() - interval '2 days'
     and not exists (select from authorization_codes where family_id = f.id)
     and not exists (select from access_tokens where family_id = f.id)
     and not exists (select from refresh_tokens where family_id = f.id)`,
    [],
  );
}

/** After the grace nobody gets a pair of tokens again, and so nobody should be able to. */
export async function forgetSalts(query: Query): Promise<void> {
  await query(
    `update refresh_tokens set successor_salt = null
     where successor_salt is not null and used_at < now() - interval '10 minutes'`,
    [],
  );
}

/** The last access token of a family lives for 90 days more than the family. */
export async function forgetFamilies(query: Query): Promise<void> {
  await query("delete from token_families where ends_at < now() - interval '100 days'", []);
}

export async function forgetSecrets(query: Query): Promise<void> {
  await query('delete from application_secrets where ends_at < now()', []);
}
