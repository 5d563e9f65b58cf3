import type { Query } from '@crm/data';

/** Codes are kept for a day after they expired, so that a late second use is recognized. */
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

/** After the grace period no pair is sent again, so it must not be possible to derive one. */
export async function forgetSalts(query: Query): Promise<void> {
  await query(
    `update refresh_tokens set successor_salt = null
     where successor_salt is not null and used_at < now() - interval '10 minutes'`,
    [],
  );
}

/** The last access token of a family can outlive the family by 90 days. */
export async function forgetFamilies(query: Query): Promise<void> {
  await query("delete from token_families where ends_at < now() - interval '100 days'", []);
}

export async function forgetSecrets(query: Query): Promise<void> {
  await query('delete from application_secrets where ends_at < now()', []);
}
