import { lostEventColumns } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class LostEvents extends Migration {
  override up() {
    this.addSql(lostEventColumns);
  }
}
