import { Migration } from '@mikro-orm/migrations';

/**
 * How often the occurrences of a series were changed, removed, or left the series, and when last, so that a calendar reads one
 * row for each series. The versions that occurrences already have, or bring from another series, are included: an instance of the
 * previous release, which shows the version of one of them, never shows more. New occurrences are not counted, because adding
 * some changes the series as well.
 *
 * Written by triggers, because instances of the previous release do not know the columns. Whoever changes occurrences has locked
 * their series before.
 */
export class CountedChanges extends Migration {
  override up() {
    this.addSql(`
      alter table task_series add column occurrence_changes integer not null default 0,
        add column occurrences_changed_at timestamptz;

      -- One series after the other, and versions without a join, because a session keeps the plan of the first statement, be it
      -- for one row or for thousands.
      create function count_changes(series integer, changes integer) returns void language plpgsql as $$ begin
        update task_series set occurrence_changes = occurrence_changes + changes,
            occurrences_changed_at = greatest(occurrences_changed_at, now())
          where id = series and type = 'recurrent';
      end $$;

      create function count_removed_occurrences() returns trigger language plpgsql set search_path from current as $$ begin
        perform count_changes(scheduled_event_id, removed) from (
          select scheduled_event_id, count(*)::int as removed from before group by 1 order by 1
        ) counted;
        return null;
      end $$;
      create trigger tasks_removed after delete on tasks referencing old table as before
        for each statement execute function count_removed_occurrences();

      create function count_changed_occurrences() returns trigger language plpgsql set search_path from current as $$ begin
        perform count_changes(series, changed) from (
          select series, sum(changes)::int as changed
          from (
            select max(scheduled_event_id) filter (where is_new) as now_in, max(version) filter (where is_new) as version,
              max(scheduled_event_id) filter (where not is_new) as was_in, max(version) filter (where not is_new) as former
            from (
              select id, scheduled_event_id, version, false as is_new from before
              union all select id, scheduled_event_id, version, true from after
            ) versions
            group by id having max(version) > min(version) or max(scheduled_event_id) > min(scheduled_event_id)
          ) task
          cross join lateral (values
            (now_in, version - case when now_in = was_in then former else 0 end),
            (was_in, (now_in <> was_in)::int)
          ) counted (series, changes)
          group by series order by series
        ) counted;
        return null;
      end $$;
      create trigger tasks_changed after update on tasks referencing old table as before new table as after
        for each statement execute function count_changed_occurrences();

      update task_series set (occurrence_changes, occurrences_changed_at) = (
          select coalesce(sum(version), 0)::int, max(modified_at) from tasks where scheduled_event_id = task_series.id
        ) where type = 'recurrent';
    `);
  }
}
