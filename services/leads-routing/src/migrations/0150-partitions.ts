import { partitionedMessagingTables } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class Partitions extends Migration {
  override up() {
    this.addSql(partitionedMessagingTables);
  }
}
