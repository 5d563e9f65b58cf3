import { wakingInserts } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class WakingInserts extends Migration {
  override up() {
    this.addSql(wakingInserts('removed_campaigns'));
  }
}
