import { Migration } from '@mikro-orm/migrations';

/** E-mail addresses in lower case, and numbers in E.164, of users whom nothing reaches there. */
export class UnreachableAddresses extends Migration {
  override up() {
    this.addSql(`
      create table unreachable_addresses (
        address varchar(320) primary key,
        why varchar(20) not null check (why in ('unreachable', 'opted out')),
        noted_at timestamptz not null
      );
    `);
  }
}
