import { mailboxFunction } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** Opt-outs that were not sent to contacts yet are compared by mailbox, as contacts does. */
export class SameMailboxes extends Migration {
  override up() {
    this.addSql(mailboxFunction);
    this.addSql('create index opt_out_requests_of_mailbox on opt_out_requests (mailbox_of(destination));');
  }
}
