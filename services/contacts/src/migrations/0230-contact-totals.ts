import { Migration } from '@mikro-orm/migrations';

/**
 * How many contacts an owner has is a sum of few rows: a base, which a worker counts, and what has changed since, written by
 * triggers with each change, so that it belongs to the same transaction and the same snapshot. No row is ever changed, so that
 * nobody waits for another. While an owner has no base, contacts are counted.
 */
export class ContactTotals extends Migration {
  override up() {
    this.addSql(`
      create table contact_totals (
        id bigint generated always as identity primary key,
        owner_user_id int not null, contacts bigint not null, is_base boolean not null
      );
      create index contact_totals_owner on contact_totals (owner_user_id) include (contacts, is_base);
    `);
    for (const [event, sign, rows] of [
      ['insert', '', 'new'],
      ['delete', '-', 'old'],
    ])
      this.addSql(`
        create function contact_total_${event}() returns trigger language plpgsql set search_path from current as $$ begin
          insert into contact_totals (owner_user_id, contacts, is_base)
            select owner_user_id, ${sign}count(*), false from rows group by owner_user_id;
          return null;
        end $$;
        create trigger contact_total_${event} after ${event} on contacts referencing ${rows} table as rows
          for each statement execute function contact_total_${event}();
      `);
    this.addSql(`
      create function contact_total_update() returns trigger language plpgsql set search_path from current as $$ begin
        insert into contact_totals (owner_user_id, contacts, is_base)
          values (old.owner_user_id, -1, false), (new.owner_user_id, 1, false);
        return null;
      end $$;
      create trigger contact_total_update after update of owner_user_id on contacts for each row
        when (old.owner_user_id <> new.owner_user_id) execute function contact_total_update();
      create function contact_total_truncate() returns trigger language plpgsql set search_path from current as $$ begin
        delete from contact_totals;
        return null;
      end $$;
      create trigger contact_total_truncate after truncate on contacts execute function contact_total_truncate();
    `);
  }
}
