import { throttledInsertNotifications, throttledNotifications } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class SparingNotifications extends Migration {
  override up() {
    this.addSql(throttledNotifications);
    this.addSql(throttledInsertNotifications);
  }
}
