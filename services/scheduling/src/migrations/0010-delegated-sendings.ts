import { Migration } from '@mikro-orm/migrations';

export class DelegatedSendings extends Migration {
  override up() {
    this.addSql(`
      alter table enrolments add column delegation_id integer;
      alter table task_alerts add column delegation_id integer;
    `);
  }
}
