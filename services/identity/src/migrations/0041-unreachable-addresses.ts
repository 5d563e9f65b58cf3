import { Migration } from '@mikro-orm/migrations';

/** Unreachable addresses of users: e-mail addresses in lower case, and phone numbers in E.164. */
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
