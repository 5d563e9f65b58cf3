import { deliveryTables } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class Deliveries extends Migration {
  override up() {
    this.addSql(deliveryTables);
  }
}
