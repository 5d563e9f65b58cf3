import { Migration } from '@mikro-orm/migrations';

export class NoSignInTargets extends Migration {
  override up() {
    this.addSql('drop table sign_in_targets;');
  }
}
