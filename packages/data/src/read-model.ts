import { type Actor, isUser, type Rule, type User } from '@crm/auth';
import { type Condition, type Find, fieldKinds } from '@crm/contract';
import { Binds, type Column, type Columns, sqlOfConditions, sqlOfOrder, sqlOfRule } from '@crm/query';
import type { z } from 'zod';
import type { Query } from './database.ts';

/** How records are read: one statement each, answered as JSON text that nobody has to parse on its way out. */
export interface ReadModel {
  /** Columns are written with it in front, so that nested queries cannot mean another's. */
  readonly table: string;
  readonly columns: Columns;
  /** What stands behind each field of the view, in its order. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly visible: (user: User) => Rule;
  readonly order: Find['sort'];
}

/** SQL, or SQL that depends on who reads. */
type Field = string | ((viewer: Actor, binds: Binds) => string);

interface Shape {
  readonly table: string;
  /** The rule of the resource's policy, the same one that guards its entity. */
  readonly visible: (user: User) => Rule;
  /** The order of a list whose caller asks for none; the id always comes last. */
  readonly order?: Find['sort'];
  /** Fields that are not plain columns: SQL that makes JSON, over the table's own name. */
  readonly nested?: Readonly<Record<string, Field>>;
  /** Columns that compare in their own way. */
  readonly special?: Readonly<Record<string, Partial<Column>>>;
  /** Columns that rules and filters use and the view does not show. */
  readonly hidden?: Columns;
}

/** JSON that PostgreSQL made. It goes to the client as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Derives the read model of a view: a field is the column of its name unless the shape says otherwise. */
export function readModel(view: z.ZodObject, shape: Shape): ReadModel {
  const { kinds } = fieldKinds(view);
  const columns: Record<string, Column> = { ...shape.hidden };
  const fields = new Map<string, Field>();
  for (const name of Object.keys(view.shape)) {
    const kind = kinds.get(name);
    if (kind) columns[name] = { kind, sql: `${shape.table}.${name}`, ...shape.special?.[name] };
    const nested = shape.nested?.[name];
    if (!kind && !nested)
      throw new Error(`The field «${name}» of ${shape.table} has nothing to be read from.`);
    fields.set(name, nested ?? expression(`${shape.table}.${name}`, kind));
  }
  return { table: shape.table, columns, fields, visible: shape.visible, order: shape.order ?? [] };
}

function expression(column: string, kind: Column['kind'] | undefined): string {
  return kind === 'instant' ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;
}

/** Not `json_agg`, which puts a line break and blanks between two records. */
const arrayText = `'[' || coalesce(string_agg(to_json(o)::text, ','), '') || ']'`;

/** SQL for the records that hang on an outer one, by id, as a JSON array: a field of the outer record's view. */
export function arrayOf(model: ReadModel, condition: string): string {
  const records = `select ${plainFields(model, [...model.fields.keys()])} from ${model.table} where ${condition} order by ${model.table}.id`;
  return `(select ${arrayText} from (${records}) o)::json`;
}

/** SQL for some fields of the record that an outer one refers to, as a JSON object or null. */
export function objectOf(model: ReadModel, condition: string, fields: readonly string[]): string {
  return `(select to_json(o) from (select ${plainFields(model, fields)} from ${model.table} where ${condition}) o)`;
}

function plainFields({ table, fields }: ReadModel, names: readonly string[]): string {
  const wanted = names.map((name) => {
    const sql = fields.get(name);
    if (typeof sql !== 'string')
      throw new Error(`The field «${name}» of ${table} cannot stand in another record.`);
    return `${sql} as ${name}`;
  });
  return wanted.join(', ');
}

/** A page of the records an actor may see, with their number, in one statement and so of one moment. */
export async function findPage(
  query: Query,
  model: ReadModel,
  actor: Actor,
  find: Pick<Find, 'where' | 'sort' | 'limit' | 'skip' | 'select'>,
  within: Rule = {},
): Promise<JsonText> {
  const binds = new Binds();
  const where = [
    sightOf(model, actor, binds),
    sqlOfRule(within, model.columns, binds),
    sqlOfConditions(find.where, model.columns, binds),
  ]
    .filter((part) => part !== 'true')
    .join(' and ');
  const limit = `${binds.add(find.limit)}::int`;
  const skip = `${binds.add(find.skip)}::int`;
  const order = sqlOfOrder(find.sort.length > 0 ? find.sort : model.order, model.columns);
  const matching = `from ${model.table} where ${where || 'true'}`;
  const page = `select ${model.table}.* ${matching} order by ${order} limit ${limit} offset ${skip}`;
  const records = `select ${fieldsOf(model, actor, binds, find.select)} from (${page}) ${model.table}`;
  const [row] = await query(
    `select '{"total":' || (select count(*) ${matching}) || ',"limit":' || ${limit} || ',"skip":' || ${skip} ` +
      `|| ',"data":' || (select ${arrayText} from (${records}) o) || '}' as body`,
    binds.values,
  );
  return new JsonText(String(row?.body));
}

interface One {
  /** Narrows it, such as to the children of one parent. */
  readonly within?: Rule;
  readonly where?: readonly Condition[];
  readonly select?: readonly string[];
  /** Whom the record is shown to, where that is not the one whose sight decides. */
  readonly viewer?: Actor;
}

/** One record as JSON text, or nothing where there is none, it is hidden from the actor, or it fails the conditions. */
export async function getRecord(
  query: Query,
  model: ReadModel,
  actor: Actor,
  id: number,
  { within = {}, where = [], select, viewer = actor }: One = {},
): Promise<JsonText | undefined> {
  const binds = new Binds();
  const conditions = [
    `${model.table}.id = ${binds.add(id)}::int`,
    sightOf(model, actor, binds),
    sqlOfRule(within, model.columns, binds),
    sqlOfConditions(where, model.columns, binds),
  ]
    .filter((part) => part !== 'true')
    .join(' and ');
  const record = `select ${fieldsOf(model, viewer, binds, select)} from ${model.table} where ${conditions}`;
  const [row] = await query(`select to_json(o)::text as body from (${record}) o`, binds.values);
  return row && new JsonText(String(row.body));
}

function sightOf(model: ReadModel, actor: Actor, binds: Binds): string {
  return isUser(actor) ? sqlOfRule(model.visible(actor), model.columns, binds) : 'true';
}

function fieldsOf(
  { fields }: ReadModel,
  viewer: Actor,
  binds: Binds,
  select: readonly string[] | undefined,
): string {
  const wanted = [...fields].filter(([name]) => !select || name === 'id' || select.includes(name));
  const sqlOf = (field: Field) => (typeof field === 'string' ? field : field(viewer, binds));
  return wanted.map(([name, field]) => `${sqlOf(field)} as ${name}`).join(', ');
}
