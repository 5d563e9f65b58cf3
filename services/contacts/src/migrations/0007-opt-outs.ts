import { Migration } from '@mikro-orm/migrations';

export class OptOuts extends Migration {
  override up() {
    this.addSql(`
      create table opt_outs (
        number varchar(16) primary key,
        since timestamptz,
        ended_at timestamptz,
        check (since is not null or ended_at is not null)
      );
    `);
  }
}
