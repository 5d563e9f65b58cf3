import { deadLetterTable } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class DeadLetters extends Migration {
  override up() {
    this.addSql(deadLetterTable);
  }
}
