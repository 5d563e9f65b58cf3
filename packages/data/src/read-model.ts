import type { Actor, Rule, User } from '@crm/auth';
import { type Find, fieldKinds } from '@crm/contract';
import type { Binds, Column, Columns } from '@crm/query';
import type { z } from 'zod';

/** How records are read: one statement each, answered as JSON text that nobody has to parse on its way out. */
export interface ReadModel {
  /** Columns are written with it in front, so that nested queries cannot mean another's. */
  readonly table: string;
  readonly columns: Columns;
  /** What stands behind each field of the view, in its order. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly visible: (user: User) => Rule;
  readonly order: Find['sort'];
  readonly first: ((user: User) => Rule) | undefined;
}

/** SQL, or SQL that depends on who reads. */
type Field = string | ((viewer: Actor, binds: Binds) => string);

interface Shape {
  readonly table: string;
  /** The rule of the resource's policy, the same one that guards its entity. */
  readonly visible: (user: User) => Rule;
  /** The order of a list whose caller asks for none; the id always comes last. */
  readonly order?: Find['sort'];
  /** The records that come before all others in such a list. */
  readonly first?: (user: User) => Rule;
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
  const { table, visible, order = [], first } = shape;
  return { table, columns, fields, visible, order, first };
}

function expression(column: string, kind: Column['kind'] | undefined): string {
  return kind === 'instant' ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;
}

/** Not `json_agg`, which puts a line break and blanks between two records. */
export const arrayText = `'[' || coalesce(string_agg(to_json(o)::text, ','), '') || ']'`;

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

/** What is read of a record, or the part of it that is asked for; the id always. */
export function fieldsOf(
  { fields }: ReadModel,
  viewer: Actor,
  binds: Binds,
  select: readonly string[] | undefined,
): string {
  const wanted = [...fields].filter(([name]) => !select || name === 'id' || select.includes(name));
  const sqlOf = (field: Field) => (typeof field === 'string' ? field : field(viewer, binds));
  return wanted.map(([name, field]) => `${sqlOf(field)} as ${name}`).join(', ');
}
