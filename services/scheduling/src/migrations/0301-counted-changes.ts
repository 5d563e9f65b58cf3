import { Migration } from '@mikro-orm/migrations';

/**
 * How often the occurrences of a series were changed that are not in it any more, so that the number of its changes never
 * decreases. Whoever takes a task out of its series has locked the series before. Written by triggers, because instances of
 * the release before know nothing of the column.
 */
export class CountedChanges extends Migration {
  override up() {
    this.addSql(`
      alter table task_series add column changes_of_others integer not null default 0;

      create function count_removed_occurrences() returns trigger language plpgsql set search_path from current as $$ begin
        update task_series set changes_of_others = changes_of_others + removed.changes
          from (select scheduled_event_id, sum(version + 1)::int as changes from rows group by 1) removed
          where id = removed.scheduled_event_id and type = 'recurrent';
        return null;
      end $$;
      create trigger tasks_removed after delete on tasks referencing old table as rows
        for each statement execute function count_removed_occurrences();

      create function count_moved_occurrence() returns trigger language plpgsql set search_path from current as $$ begin
        update task_series set changes_of_others = changes_of_others + old.version + 1
          where id = old.scheduled_event_id and type = 'recurrent';
        return null;
      end $$;
      create trigger tasks_moved after update of scheduled_event_id on tasks for each row
        when (old.scheduled_event_id <> new.scheduled_event_id) execute function count_moved_occurrence();
    `);
  }
}
