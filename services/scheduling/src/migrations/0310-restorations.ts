import { restorationTable } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

export class Restorations extends Migration {
  override up() {
    this.addSql(restorationTable);
  }
}
