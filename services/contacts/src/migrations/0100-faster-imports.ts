import { Migration } from '@mikro-orm/migrations';

/** A row of a file is noted with the contact that it is about to become, and its addresses are not read again. */
export class FasterImports extends Migration {
  override up() {
    this.addSql(
      'alter table imported_rows alter constraint imported_rows_contact_id_fkey deferrable initially deferred',
    );
    this.addSql(refreshUnlessWritten);
  }
}

/** Who sets the variable has written the words of the addresses with their contacts, in the same transaction. */
const refreshUnlessWritten = `
  create or replace function refresh_address_text() returns trigger language plpgsql set search_path from current
    as $$ begin
      if current_setting('contacts.address_text', true) = 'written' then return null; end if;
      update contacts set address_text = new_text from (
        select id as contact_id, (
          select string_agg(concat_ws(' ', street_address_1, street_address_2, city, state, zip, search_digits(zip)), ' '
            order by addresses.id) from addresses where addresses.contact_id = changed.id) as new_text
        from (select distinct contact_id as id from rows) changed
      ) made where contacts.id = made.contact_id and address_text is distinct from new_text;
      return null;
    end $$;
`;
