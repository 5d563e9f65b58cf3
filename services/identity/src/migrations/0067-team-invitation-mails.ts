import { Migration } from '@mikro-orm/migrations';

export class TeamInvitationMails extends Migration {
  override up() {
    this.addSql('alter table security_events add column team_member_id integer');
  }
}
