import { calledSearchFunctions } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** The words of contacts and tags are what they were, and cost less. */
export class CalledSearchFunctions extends Migration {
  override up() {
    this.addSql(calledSearchFunctions);
  }
}
