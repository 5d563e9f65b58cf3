import { Migration } from '@mikro-orm/migrations';

/** An index for tokens that belong neither to a family nor to a sub-account, by their expiry. */
export class EndedTokens extends Migration {
  override up() {
    this.addSql(`
      create index access_tokens_personal on access_tokens (expires_at)
        where family_id is null and sub_account_id is null;
    `);
  }
}
