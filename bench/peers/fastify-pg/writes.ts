import { type ContactDraft, type NewContact, references } from '../contact-fields.ts';
import { comparablePhones } from '../phones.ts';
import { bindings, type Statement } from './database.ts';
import { visible } from './reads.ts';

const now = "date_trunc('milliseconds', now())";

type Bind = (value: unknown) => string;

/** The columns to write with their places. */
function assignments(draft: ContactDraft, bind: Bind) {
  const all = Object.entries({ ...draft, ...comparablePhones(draft) });
  const isReference = (name: string) => (references as readonly string[]).includes(name);
  return all.map(([name, value]) => ({
    name,
    place: `${bind(value)}::${isReference(name) ? 'int' : 'text'}`,
  }));
}

/** Nothing is written if a reference is to a record of somebody else. */
function referencesAreOwn({ hotness_id, source_id }: ContactDraft, bind: Bind): string[] {
  const own = (table: string, id: unknown) =>
    id == null
      ? []
      : [`exists (select from ${table} r where r.id = ${bind(id)}::int and r.user_id = $1::int)`];
  return [...own('hotnesses', hotness_id), ...own('contact_sources', source_id)];
}

/** A contact with its parts in one statement, which is one transaction. */
export function insertContact(user: number, { draft, addresses, tags }: NewContact): Statement {
  const { values, bind } = bindings(user);
  const written = assignments(draft, bind);
  const conditions = referencesAreOwn(draft, bind);
  const names = written.map(({ name }) => `, ${name}`).join('');
  const places = written.map(({ place }) => `, ${place}`).join('');
  const parts = [
    `created as (
      insert into contacts (owner_user_id, created_at, modified_at, tags_head, tags_tail${names})
      select $1::int, ${now}, ${now}, '', ''${places} where ${['true', ...conditions].join(' and ')} returning id)`,
    ...(addresses.length > 0 ? [insertAddresses(bind(JSON.stringify(addresses)))] : []),
    ...(tags.length > 0 ? insertTags(bind(tags)) : []),
  ];
  return { text: `with ${parts.join(', ')} select id from created`, values };
}

const insertAddresses = (place: string): string => `written_addresses as (
  insert into addresses
    (contact_id, type, street_address_1, street_address_2, zip, city, state, created_at, modified_at)
  select created.id, r.*, ${now}, ${now} from created, json_to_recordset(${place}::json)
    r (type text, street_address_1 text, street_address_2 text, zip text, city text, state text))`;

const insertTags = (place: string): string[] => [
  `wanted as (select * from unnest(${place}::text[]) with ordinality w (content, position))`,
  `known as (select t.id, t.content from tags t join wanted using (content)
    where t.user_id = $1::int and t.removed_at is null)`,
  `added as (insert into tags (user_id, content)
    select $1::int, content from wanted where content not in (select content from known) returning id, content)`,
  `tagged as (insert into contact_tags (contact_id, position, tag_id, lead)
    select created.id, wanted.position, t.id, case wanted.position when 1 then '' else ', ' end
    from created, wanted join (select * from known union all select * from added) t using (content))`,
];

export function updateContact(user: number, id: number, draft: ContactDraft): Statement {
  const { values, bind } = bindings(user, id);
  const sets = assignments(draft, bind).map(({ name, place }) => `, ${name} = ${place}`);
  const conditions = referencesAreOwn(draft, bind);
  const text = `update contacts c set version = version + 1, modified_at = ${now}${sets.join('')}
    where ${['c.id = $2::int', visible, ...conditions].join(' and ')} returning c.id`;
  return { text, values };
}
