import { Migration } from '@mikro-orm/migrations';

/**
 * What an import no longer needs is marked, and deleted by workers in portions: one statement cannot delete a million
 * rows in time.
 */
export class ForgottenImports extends Migration {
  override up() {
    this.addSql(`
      alter table imports
        add column forgets_findings boolean not null default false,
        add column forgets_file boolean not null default false;
      create index imports_forgotten on imports (id) where forgets_file;
    `);
  }
}
