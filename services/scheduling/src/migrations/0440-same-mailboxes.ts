import { mailboxFunction } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** Opt-outs of which contacts has not been told are compared by mailbox, as there. */
export class SameMailboxes extends Migration {
  override up() {
    this.addSql(mailboxFunction);
    this.addSql('create index opt_out_requests_of_mailbox on opt_out_requests (mailbox_of(destination));');
  }
}
