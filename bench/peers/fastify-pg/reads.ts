import { integers, moments, textNames } from '../contact-fields.ts';
import type { Statement } from './database.ts';

export const visible = `(c.owner_user_id = $1::int or c.assigned_user_id = $1::int
  or c.shared_user_ids @> array[$1::int])`;

const moment = (column: string, name: string): string =>
  `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;

const columns = [
  ...integers.map((name) => `c.${name}`),
  ...textNames.map((name) => `c.${name}`),
  ...moments.map((name) => moment(`c.${name}`, name)),
].join(', ');

const tags = `(select string_agg(t.content, ct.lead order by ct.position)
  from contact_tags ct join tags t on t.id = ct.tag_id and t.removed_at is null where ct.contact_id = c.id) as tags`;

const addresses = `(select coalesce(json_agg(o), '[]') from (
  select a.id, a.type, a.street_address_1, a.street_address_2, a.zip, a.city, a.state,
    ${moment('a.created_at', 'created_at')}, ${moment('a.modified_at', 'modified_at')}
  from addresses a where a.contact_id = c.id order by a.id) o) as addresses`;

const hotness = `(select to_json(o) from (
  select h.name, h.rank, h.color from hotnesses h where h.id = c.hotness_id) o) as hotness`;

const source = `(select to_json(o) from (
  select s.id, s.name, s.user_id, ${moment('s.created_at', 'created_at')}
  from contact_sources s where s.id = c.source_id) o) as source`;

const customFields = `(select coalesce(json_agg(o), '[]') from (
  select f.id, f.user_id, f.name, f.rank, f.data_type, v.value
  from custom_fields f left join custom_field_values v on v.custom_field_id = f.id and v.contact_id = c.id
  where f.user_id = $1::int order by f.rank, f.id) o) as custom_fields`;

const contact = `select ${[columns, tags, addresses, hotness, customFields, source].join(', ')}`;

export const readOne = (user: number, id: number): Statement => ({
  text: `select to_json(o)::text as body from (${contact} from contacts c where c.id = $2::int and ${visible}) o`,
  values: [user, id],
});

export interface Page {
  readonly limit: number;
  readonly skip: number;
  /** Columns with their directions. */
  readonly order: readonly (readonly [string, 'asc' | 'desc'])[];
  /** SQL after the visibility, with values from $4 on. */
  readonly where: string;
  readonly values: readonly unknown[];
}

/** One pass over what matches gives the total and the page. */
export function readPage(user: number, { limit, skip, order, where, values }: Page): Statement {
  const kept = [...new Set(['id', ...order.map(([column]) => column)])].map((column) => `c.${column}`);
  const by = [
    ...order.map(([column, direction]) => `${column} ${direction}`),
    `id ${order.at(-1)?.[1] ?? 'asc'}`,
  ];
  const text = `with matching as materialized (
      select ${kept.join(', ')} from contacts c where ${visible}${where}),
    page as (select * from matching order by ${by.join(', ')} limit $2::int offset $3::int),
    records as (select to_json(o)::text as record, row_number() over () as place
      from (${contact} from page join contacts c using (id) order by ${by.map((one) => `page.${one}`).join(', ')}) o)
    select '{"total":' || (select count(*) from matching) || ',"limit":' || $2::int || ',"skip":' || $3::int
      || ',"data":[' || coalesce((select string_agg(record, ',' order by place) from records), '') || ']}' as body`;
  return { text, values: [user, limit, skip, ...values] };
}
