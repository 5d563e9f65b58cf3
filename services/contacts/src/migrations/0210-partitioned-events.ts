import { partitionedById } from '@crm/messaging';
import { Migration } from '@mikro-orm/migrations';

/**
 * Events are partitioned. Their properties are removed by a trigger, and the last activity of a contact only moves with events
 * that are newer, or removed: those that are no longer kept are not missed.
 */
export class PartitionedEvents extends Migration {
  override up() {
    this.addSql(partitionedById('events'));
    this.addSql(lastActivity);
    this.addSql(properties);
  }
}

const lastActivity = `
  create function note_last_activity() returns trigger language plpgsql set search_path from current as $$
  begin
    update contacts set last_activity_at = latest
      from (select contact_id, max(created_at) as latest from rows group by 1) made
      where contacts.id = made.contact_id and (last_activity_at is null or last_activity_at < latest);
    return null;
  end $$;
  create or replace function refresh_last_activity() returns trigger language plpgsql set search_path from current as $$
  begin
    update contacts set last_activity_at = latest from (
      select contacts.id as contact_id, greatest(last_message_at, (
        select max(created_at) from events where events.contact_id = contacts.id)) as latest
      from contacts join (select contact_id, max(created_at) as at from rows group by 1) removed
        on removed.contact_id = contacts.id and last_activity_at <= removed.at
    ) made where contacts.id = made.contact_id and last_activity_at is distinct from latest;
    return null;
  end $$;
  drop trigger events_inserted on events;
  create trigger events_inserted after insert on events
    referencing new table as rows for each statement execute function note_last_activity();
`;

const properties = `
  create function remove_properties_of_events() returns trigger language plpgsql set search_path from current as $$
  begin
    delete from event_properties where api_event_id = any(array(select id from rows));
    return null;
  end $$;
  create trigger events_without_properties after delete on events
    referencing old table as rows for each statement execute function remove_properties_of_events();
`;
