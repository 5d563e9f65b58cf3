import type { Query } from '@crm/data';
import { isValidToken } from '../valid-token.queries.ts';

/** An application as its owner's page shows it, with the owner's own valid tokens. */
export interface OwnedApplication {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly is_public: boolean;
  readonly is_disabled: boolean;
  readonly allows_implicit: boolean;
  readonly redirect_uris: readonly string[];
  readonly tokens: readonly {
    readonly id: number;
    readonly name: string;
    readonly scope: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly last_used_at: string | null;
  }[];
}

/** The applications that a user has registered, or one of them, oldest first. */
export async function ownedApplications(
  query: Query,
  ownerId: number,
  id?: number,
): Promise<readonly OwnedApplication[]> {
  const rows = await query(
    `select json_build_object(
       'id', a.id, 'name', a.name, 'client_id', a.client_id, 'is_public', a.is_public,
       'is_disabled', a.disabled_at is not null, 'allows_implicit', a.allows_implicit,
       'redirect_uris', a.redirect_uris,
       'tokens', (
         select coalesce(json_agg(json_build_object(
           'id', t.id, 'name', t.name, 'scope', t.scope, 'created_at', t.created_at,
           'expires_at', t.expires_at, 'last_used_at', t.last_used_at
         ) order by t.id), '[]')
         from access_tokens t
         where t.application_id = a.id and t.user_id = a.owner_user_id and t.family_id is null
         and ${isValidToken('t')}
       )
     )::text as application
     from applications a
     where a.owner_user_id = $1 and ($2::int is null or a.id = $2) and a.removed_at is null order by a.id`,
    [ownerId, id ?? null],
  );
  return rows.map((row) => JSON.parse(String(row.application)) as OwnedApplication);
}
