import { searchFunction } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** The words by which a search finds a lead, generated from its columns. */
export class SearchLeads extends Migration {
  override up() {
    this.addSql(searchFunction);
    this.addSql(`
      create extension if not exists pg_trgm schema public;
      create extension if not exists btree_gin schema public;

      create function search_digits(text) returns text language sql immutable parallel safe
        return regexp_replace(coalesce($1, ''), '[^0-9]', '', 'g') || ' ';

      -- A source is never renamed: a new name is another source.
      alter table leads add column source_name varchar(200);
      update leads set source_name = (select name from lead_sources where id = source_id) where source_id is not null;

      create function copy_source_name() returns trigger language plpgsql set search_path from current as $$ begin
        new.source_name = (select name from lead_sources where id = new.source_id);
        return new;
      end $$;
      create trigger leads_source_name before insert or update of source_id on leads
        for each row execute function copy_source_name();

      alter table leads add column search_text text not null generated always as (
        ' ' || search_words(
          coalesce(street_address, '') || ' ' || coalesce(city, '') || ' ' || coalesce(state, '') || ' ' ||
          coalesce(zipcode #>> '{}', '') || ' ' || search_digits(zipcode #>> '{}')
        ) || ' | ' || search_words(
          coalesce(mls_id #>> '{}', '') || ' ' || search_digits(mls_id #>> '{}') ||
          coalesce(type, '') || ' ' || coalesce(listing_status, '') || ' ' || coalesce(source_name, '')
        ) || ' '
      ) stored;

      -- Of an expression, so that no search uses another index of the creator and reads all leads of it.
      create index leads_creator_search on leads
        using gin ((creator_user_id + 0), search_text public.gin_trgm_ops) with (fastupdate = off);
    `);
  }
}
