import { type Query, untilFewer } from '@crm/data';

/**
 * Deletes codes a day after they expired, so that a late second use is still recognized, together with families that
 * have no tokens.
 */
export async function forgetCodes(query: Query): Promise<void> {
  await untilFewer(1_000, (most) =>
    query(
      `with expired as (
         delete from authorization_codes where id in (
           select id from authorization_codes where expires_at < now() - interval '1 day'
           order by expires_at limit $1)
         returning family_id
       ), unused as (
         delete from token_families f using expired where f.id = expired.family_id
         and not exists (select from access_tokens where family_id = f.id)
         and not exists (select from refresh_tokens where family_id = f.id)
       )
       select from expired`,
      [most],
    ),
  );
}

/** Deletes salts after the grace period: no pair is sent again then, so it must not be possible to derive one. */
export async function forgetSalts(query: Query): Promise<void> {
  await query(
    `update refresh_tokens set successor_salt = null
     where successor_salt is not null and used_at < now() - interval '10 minutes'`,
    [],
  );
}

/**
 * Waits 100 days because the last access token of a family can outlive it by 90. Deletes few families at once because
 * each may have had a token for every hour of its life.
 */
export async function forgetFamilies(query: Query): Promise<void> {
  await untilFewer(10, (most) =>
    query(
      `delete from token_families where id in (
         select id from token_families where ends_at < now() - interval '100 days' order by ends_at limit $1)
       returning true as deleted`,
      [most],
    ),
  );
}

export async function forgetSecrets(query: Query): Promise<void> {
  await query('delete from application_secrets where ends_at < now()', []);
}
