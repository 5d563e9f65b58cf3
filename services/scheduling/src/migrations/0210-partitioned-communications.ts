import { partitionedById } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

/**
 * Communications are partitioned. Their enrolment, which is unique, ensures that an action is executed once for a contact in a
 * campaign, and keys are random.
 */
export class PartitionedCommunications extends Migration {
  override up() {
    this.addSql(partitionedById('communications'));
    // It continues to read only the first partition.
    this.addSql(`
      create or replace view sendings as
        select send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at, dispatch_state
        from communications
        union all select * from removed_sendings;
    `);
  }
}
