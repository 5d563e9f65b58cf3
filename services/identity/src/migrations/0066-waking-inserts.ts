import { notifyOfInserts } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class WakingInserts extends Migration {
  override up() {
    this.addSql(notifyOfInserts('account_mails'));
  }
}
