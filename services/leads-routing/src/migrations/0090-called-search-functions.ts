import { calledSearchFunctions } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** Faster search functions; the words of leads stay the same. */
export class CalledSearchFunctions extends Migration {
  override up() {
    this.addSql(calledSearchFunctions);
  }
}
