import { partitionedById } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

/**
 * Communications are partitioned. That an action is carried out once for a contact in a campaign follows from their enrolment,
 * of which there is one, and keys are random.
 */
export class PartitionedCommunications extends Migration {
  override up() {
    this.addSql(partitionedById('communications'));
    // It goes on reading the first partition alone.
    this.addSql(`
      create or replace view sendings as
        select send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at, dispatch_state
        from communications
        union all select * from removed_sendings;
    `);
  }
}
