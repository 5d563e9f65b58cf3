import { Migration } from '@mikro-orm/migrations';

/** Which contacts rows of an import have named, also of one that is no dry run. */
export class NamedByImports extends Migration {
  override up() {
    this.addSql('alter table import_rehearsals add column is_named boolean not null default false');
  }
}
