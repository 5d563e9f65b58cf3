import { Migration } from '@mikro-orm/migrations';

/**
 * Each event knows the owner of its contact, who is the same for good, so that those of an owner are counted and listed by an
 * index, however many contacts they belong to.
 */
export class OwnersOfEvents extends Migration {
  override up() {
    this.addSql(`
      alter table events add column owner_user_id integer;
      update events set owner_user_id = contacts.owner_user_id from contacts where contacts.id = events.contact_id;
      create index events_owner on events (owner_user_id, id);
      create index events_owner_created on events (owner_user_id, created_at, id);
      create index events_owner_modified on events (owner_user_id, modified_at, id);
    `);
    this.addSql(trigger);
  }
}

/** Whoever writes an event: instances of the version before know nothing of the column. */
const trigger = `
  create function set_owner_of_event() returns trigger language plpgsql set search_path from current as $$
  begin
    select owner_user_id into new.owner_user_id from contacts where id = new.contact_id;
    return new;
  end $$;
  create trigger events_owned before insert on events for each row execute function set_owner_of_event();
`;
