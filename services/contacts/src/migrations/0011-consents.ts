import { Migration } from '@mikro-orm/migrations';

export class Consents extends Migration {
  override up() {
    this.addSql(`
      alter table opt_outs rename column number to destination;
      alter table opt_outs
        alter column destination type varchar(320),
        add column source varchar(20) not null default 'Reply'
          check (source in ('Reply', 'List-Unsubscribe', 'Bounce'));
      create index contacts_email on contacts (lower(email)) where email is not null;

      create table agent_consents (
        contact_id integer not null references contacts on delete cascade,
        channel varchar(5) not null check (channel in ('Text', 'Email')),
        state varchar(10) not null check (state in ('Allowed', 'Opted Out')),
        changed_at timestamptz not null,
        primary key (contact_id, channel)
      );
    `);
  }
}
