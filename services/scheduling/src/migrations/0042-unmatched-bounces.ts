import { Migration } from '@mikro-orm/migrations';

/** Reports about e-mails of other services, until these services have read them. */
export class UnmatchedBounces extends Migration {
  override up() {
    this.addSql(`
      create table unmatched_bounces (
        key uuid primary key,
        state varchar(12) not null,
        reason varchar(500),
        is_unreachable boolean not null,
        reported_at timestamptz not null
      );
      create index unmatched_bounces_reported on unmatched_bounces (reported_at);
    `);
  }
}
