import { Migration } from '@mikro-orm/migrations';

export class TemplateTexts extends Migration {
  override up() {
    this.addSql(`
      create table template_texts (
        digest varchar(64) primary key,
        body text not null,
        used_at timestamptz not null default now()
      );
      create index template_texts_used on template_texts (used_at);

      create table removed_campaigns (
        campaign_id integer primary key,
        removed_at timestamptz not null default now()
      );
      -- The contacts of a removed campaign are removed after it, in portions.
      alter table campaign_contacts drop constraint campaign_contacts_campaign_id_fkey;
    `);
  }
}
