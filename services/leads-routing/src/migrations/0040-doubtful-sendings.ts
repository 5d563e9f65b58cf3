import { Migration } from '@mikro-orm/migrations';

/** When an attempt began that may have sent the message, which waits to be sent again. */
export class DoubtfulSendings extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts add column doubtful_since timestamptz;
    `);
  }
}
