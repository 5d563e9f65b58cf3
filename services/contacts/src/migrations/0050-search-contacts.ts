import { searchFunction } from '@crm/data';
import { Migration } from '@mikro-orm/migrations';

/** SQL for the text of the addresses of a contact. */
const textOf = (contact: string) => `
  select string_agg(concat_ws(' ', street_address_1, street_address_2, city, state, zip, search_digits(zip)), ' '
    order by addresses.id) from addresses where addresses.contact_id = ${contact}`;

/** The words of a contact that a search finds, generated from its columns and those of its addresses. */
export class SearchContacts extends Migration {
  override up() {
    this.addSql(searchFunction);
    this.addSql(`
      create extension if not exists pg_trgm schema public;
      create extension if not exists btree_gin schema public;
    `);
    this.addSql(`
      create function search_digits(text) returns text language sql immutable parallel safe
        return regexp_replace(coalesce($1, ''), '[^0-9]', '', 'g') || ' ';

      alter table contacts add column address_text text;
      update contacts set address_text = (
        ${textOf('contacts.id')})
        where exists (select from addresses where contact_id = contacts.id);

      alter table contacts add column search_text text not null generated always as (
        ' ' || search_words(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) || ' | ' ||
        search_words(
          coalesce(company, '') || ' ' || coalesce(email, '') || ' ' ||
          coalesce(spouse_name, '') || ' ' || coalesce(spouse_email, '') || ' ' || coalesce(address_text, '') || ' ' ||
          search_digits(mobile_phone) || search_digits(mobile_phone_e164) ||
          search_digits(home_phone) || search_digits(home_phone_e164) ||
          search_digits(office_phone) || search_digits(office_phone_e164) ||
          search_digits(fax) || search_digits(spouse_phone)
        ) || ' '
      ) stored;
      alter table tags add column search_text text not null
        generated always as (' ' || search_words(content) || ' ') stored;

      -- Of an expression, so that no search uses another index of the owner and reads all contacts of it.
      create index contacts_owner_search on contacts
        using gin ((owner_user_id + 0), search_text public.gin_trgm_ops) with (fastupdate = off);
    `);
    this.addSql(addressTriggers);
  }
}

const refresh = `
  update contacts set address_text = new_text from (
    select id as contact_id, (
      ${textOf('changed.id')}) as new_text
    from (select distinct contact_id as id from rows) changed
  ) made where contacts.id = made.contact_id and address_text is distinct from new_text;`;

/** In the transaction that writes an address, whoever writes it, so that a search finds it at once. */
const addressTriggers = `
  create function refresh_address_text() returns trigger language plpgsql set search_path from current
    as $$ begin ${refresh} return null; end $$;
  create trigger addresses_inserted after insert on addresses
    referencing new table as rows for each statement execute function refresh_address_text();
  create trigger addresses_updated after update on addresses
    referencing new table as rows for each statement execute function refresh_address_text();
  create trigger addresses_deleted after delete on addresses
    referencing old table as rows for each statement execute function refresh_address_text();
`;
