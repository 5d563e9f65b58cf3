import type { Query } from '@crm/data';

/** As many rows as a statement may delete. */
const most = 5_000;

/** Lets a statement that deletes too many rows of one of the tables fail, as one that takes too long does with far more. */
export async function refuseMany(query: (text: string) => ReturnType<Query>, tables: readonly string[]) {
  await query(
    `create function refuse_many() returns trigger language plpgsql as $$ begin
       if (select count(*) from gone) > ${most} then raise exception 'too many rows in one statement'; end if;
       return null;
     end $$`,
  );
  for (const table of tables)
    await query(
      `create trigger refuse_many after delete on ${table} referencing old table as gone
       for each statement execute function refuse_many()`,
    );
}
