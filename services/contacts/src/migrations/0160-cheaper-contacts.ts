import { shorterSearchFunctions } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/**
 * The words of contacts are what they were, and cost less. Of contacts that an import adds, up to 4 MB waited to be
 * sorted into the index of shares, and each list of whichever user read them all.
 */
export class CheaperContacts extends Migration {
  override up() {
    this.addSql(shorterSearchFunctions);
    this.addSql('alter index contacts_shared set (gin_pending_list_limit = 64)');
  }
}
