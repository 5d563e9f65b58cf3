import { Migration } from '@mikro-orm/migrations';

/** When something last happened to a contact: the latest of its events and of the messages sent to it. */
export class LastActivity extends Migration {
  override up() {
    this.addSql(`
      alter table contacts add column last_message_at timestamptz, add column last_activity_at timestamptz;
      update contacts set last_activity_at = (select max(created_at) from events where contact_id = contacts.id)
        where exists (select from events where contact_id = contacts.id);
      create index contacts_owner_activity on contacts (owner_user_id, last_activity_at, id);
    `);
    this.addSql(triggers);
  }
}

const refresh = `
  update contacts set last_activity_at = latest from (
    select contacts.id as contact_id, greatest(last_message_at, (
      select max(created_at) from events where events.contact_id = contacts.id)) as latest
    from contacts where id in (select contact_id from rows)
  ) made where contacts.id = made.contact_id and last_activity_at is distinct from latest;`;

/** In the transaction that writes an event, whoever writes it. Writers have locked the contact. */
const triggers = `
  create function refresh_last_activity() returns trigger language plpgsql set search_path from current
    as $$ begin ${refresh} return null; end $$;
  create trigger events_inserted after insert on events
    referencing new table as rows for each statement execute function refresh_last_activity();
  create trigger events_deleted after delete on events
    referencing old table as rows for each statement execute function refresh_last_activity();
`;
