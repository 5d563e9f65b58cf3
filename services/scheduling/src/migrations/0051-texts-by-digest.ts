import { Migration } from '@mikro-orm/migrations';

/** No instance reads the text of a template from the communication any longer while it sends it. */
export class TextsByDigest extends Migration {
  override up() {
    this.addSql(`
      drop trigger show_body_while_sending on communications;
      drop function show_body_while_sending();
    `);
  }
}
