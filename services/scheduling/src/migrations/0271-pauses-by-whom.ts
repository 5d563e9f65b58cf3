import { Migration } from '@mikro-orm/migrations';

/**
 * The user and the operator each set and end their own pause of a user. A pause set by an instance of the previous release counts
 * as set by the user.
 */
export class PausesByWhom extends Migration {
  override up() {
    this.addSql(`
      alter table sending_pauses
        add column user_paused_at timestamptz default now(),
        add column operator_paused_at timestamptz;
      update sending_pauses set user_paused_at = paused_at;
      update sending_pauses pause set user_paused_at = null, operator_paused_at = paused_at
        where exists (
          select from audit_events e
          where e.user_id = pause.user_id and e.actor_type = 'operator' and e.action = 'sendingPauses.add'
            and e.created_at >= pause.paused_at - interval '1 second'
        );
    `);
  }
}
