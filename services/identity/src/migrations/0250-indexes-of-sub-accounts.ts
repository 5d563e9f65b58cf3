import { Migration } from '@mikro-orm/migrations';

/** Indexes find the tokens and delegations of a sub-account, and the delegations of a broker that have ended. */
export class IndexesOfSubAccounts extends Migration {
  override up() {
    this.addSql(`
      create index access_tokens_by_sub_account on access_tokens (sub_account_id) where sub_account_id is not null;
      create index delegations_by_sub_account on delegations (sub_account_id) where sub_account_id is not null;
      create index delegations_by_broker on delegations (broker_user_id);
    `);
  }
}
