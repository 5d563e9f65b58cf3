import { notifyOfInserts } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class WakingInserts extends Migration {
  override up() {
    this.addSql(notifyOfInserts('communications', 'task_alerts', 'text_notices', 'enrolment_ends'));
  }
}
