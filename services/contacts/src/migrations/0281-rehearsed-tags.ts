import { Migration } from '@mikro-orm/migrations';

/** Later rows of a dry run find which contacts would have the tags of the import by then. */
export class RehearsedTags extends Migration {
  override up() {
    this.addSql('alter table import_rehearsals add column is_tagged boolean not null default false');
  }
}
