import { Migration } from '@mikro-orm/migrations';

/** The columns that decide the rights of token holders, by table. An empty list means all columns, and new rows too. */
const decisive: Readonly<Record<string, readonly string[]>> = {
  access_tokens: [
    'token_hash',
    'user_id',
    'scope',
    'expires_at',
    'revoked_at',
    'family_id',
    'application_id',
    'sub_account_id',
  ],
  applications: ['client_id', 'disabled_at'],
  delegations: [],
  sub_accounts: [],
  team_members: [],
  teams: [],
  token_families: ['revoked_at'],
  users: ['timezone', 'is_broker', 'disabled_at'],
};

/**
 * A version that changes with every commit that changes the rights of a token holder. No version occurs twice, not even
 * after the database is restored to an earlier state.
 */
export class RightsVersion extends Migration {
  override up() {
    this.addSql(`
      create table rights (
        is_only boolean primary key default true check (is_only),
        version uuid not null
      );
      insert into rights (version) values (gen_random_uuid());

      create function change_rights() returns trigger language plpgsql set search_path from current as $$ begin
        -- Once in a transaction, however many rows it changes.
        if coalesce(current_setting('crm.rights_changed', true), '') <> 'yes' then
          update rights set version = gen_random_uuid();
          perform set_config('crm.rights_changed', 'yes', true);
        end if;
        return null;
      end $$;
    `);
    for (const [table, columns] of Object.entries(decisive)) this.addSql(triggersOn(table, columns));
  }
}

/** Triggers at the end of a transaction, so that the row of the version is locked last and only briefly. */
const triggersOn = (table: string, columns: readonly string[]) => `
  create constraint trigger ${table}_change_rights
    after delete or update ${columns.length > 0 ? `of ${columns.join(', ')}` : 'or insert'} on ${table}
    deferrable initially deferred for each row execute function change_rights();
  create trigger ${table}_truncated after truncate on ${table} execute function change_rights();`;
