import { Migration } from '@mikro-orm/migrations';

/** Indexes for the tokens and delegations of a sub-account, all delegations of a broker, and expired grants. */
export class MissingIndexes extends Migration {
  override up() {
    this.addSql(`
      create index access_tokens_by_sub_account on access_tokens (sub_account_id) where sub_account_id is not null;
      create index delegations_by_sub_account on delegations (sub_account_id) where sub_account_id is not null;
      create index delegations_by_broker on delegations (broker_user_id);
      create index authorization_codes_expiring on authorization_codes (expires_at);
      create index token_families_ending on token_families (ends_at);
    `);
  }
}
