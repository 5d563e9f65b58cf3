import { Migration } from '@mikro-orm/migrations';

/** The numbers, in E.164, whose texts wait for the decision of an agent, or waited for it. */
export class TextPauses extends Migration {
  override up() {
    this.addSql(`
      create table text_pauses (
        number varchar(20) primary key,
        paused_at timestamptz not null,
        ended_at timestamptz
      );
    `);
  }
}
