import { calledSearchFunctions } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** The words of leads are what they were, and cost less. */
export class CalledSearchFunctions extends Migration {
  override up() {
    this.addSql(calledSearchFunctions);
  }
}
