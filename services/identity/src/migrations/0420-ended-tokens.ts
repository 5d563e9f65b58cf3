import { Migration } from '@mikro-orm/migrations';

/** An index finds the tokens that belong to no application's family and to no sub-account, by their end. */
export class EndedTokens extends Migration {
  override up() {
    this.addSql(`
      create index access_tokens_personal on access_tokens (expires_at)
        where family_id is null and sub_account_id is null;
    `);
  }
}
