import { republishingColumn } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

export class PublishAgain extends Migration {
  override up() {
    this.addSql(republishingColumn);
  }
}
