import { auditTables } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class AuditEvents extends Migration {
  override up() {
    this.addSql(auditTables);
  }
}
