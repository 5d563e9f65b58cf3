import { Migration } from '@mikro-orm/migrations';

/** What was shared and assigned under a delegation stays if it ends because the account of its user is disabled. */
export class KeptDelegations extends Migration {
  override up() {
    this.addSql('alter table delegations add column is_kept boolean not null default false');
  }
}
