import { messagingTables } from '@crm/messaging';
import { idempotencyTables } from '@crm/service';
import { Migration } from '@mikro-orm/migrations';

export class Scheduling extends Migration {
  override up() {
    this.addSql(messagingTables);
    this.addSql(idempotencyTables);
  }
}
