import { Migration } from '@mikro-orm/migrations';

/** When the attempt began that may have sent a message which waits to be sent again. */
export class DoubtfulSendings extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts add column doubtful_since timestamptz;
    `);
  }
}
