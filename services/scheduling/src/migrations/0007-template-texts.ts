import { Migration } from '@mikro-orm/migrations';

/**
 * Communications refer to the texts of templates, which are stored once. An instance of the previous release knows only the
 * column body: it stores texts there, which a worker moves, and it reads the text there while it sends a row. The column and the
 * trigger are removed when no such instance can run any longer.
 */
export class TemplateTexts extends Migration {
  override up() {
    this.addSql(`
      create table template_texts (
        digest varchar(64) primary key,
        body text not null,
        checked_at timestamptz not null default now()
      );
      create index template_texts_checked on template_texts (checked_at);

      alter table communications add column body_digest varchar(64);
      alter table communications
        add constraint communications_body_digest foreign key (body_digest) references template_texts not valid;
      create index communications_body_digest on communications (body_digest) where body_digest is not null;
      create index communications_own_body on communications (id)
        where body is not null and dispatch_state <> 'Sending';

      create function show_body_while_sending() returns trigger language plpgsql as $$
      begin
        if new.dispatch_state = 'Sending' then
          select t.body into new.body from template_texts t where t.digest = new.body_digest;
        else
          new.body := null;
        end if;
        return new;
      end $$;
      create trigger show_body_while_sending before update of dispatch_state on communications
        for each row when (new.body_digest is not null and old.dispatch_state <> new.dispatch_state)
        execute function show_body_while_sending();
    `);
  }
}
