import type { Actor, Rule, User } from '@crm/auth';
import { type FieldKind, type Find, fieldKinds, type Scalar } from '@crm/contract';
import { type Binds, type Column, type Columns, columnOf } from '@crm/query';
import type { z } from 'zod';

/** How records are read: in one statement, as JSON text that is passed to the client unparsed. */
export interface ReadModel {
  /** Prefixes its columns, so that they are unambiguous in nested queries. */
  readonly table: string;
  readonly columns: Columns;
  /** Columns whose value depends on the viewer. */
  readonly viewerColumns: ReadonlyMap<string, ViewerColumn>;
  /**
   * Replaces equality of columns with what is fastest for the viewer and finds the same records among those that the viewer sees.
   */
  readonly viewerEquals?: Readonly<Record<string, ViewerEquals>> | undefined;
  /** The SQL of each field of the view, in order. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly visible: (user: User) => Rule;
  readonly order: Find['sort'];
  readonly first: ((user: User) => Rule) | undefined;
  readonly totals: Totals | undefined;
  /** SQL for a hash that changes with the JSON of a record, if that is remembered. */
  readonly fingerprint?: ((viewer: User, binds: Binds) => string) | undefined;
}

/** A table whose rows add up to the number of records of each owner that has a row with `is_base`. */
export interface Totals {
  readonly table: string;
  /** The field of the owner, which is also a column of the table. */
  readonly owner: string;
  /** The column that is summed up. */
  readonly sum: string;
}

/** SQL, or SQL that depends on the viewer. */
type Field = string | ViewerSql;
type ViewerSql = (viewer: Actor, binds: Binds, read: Read, select?: Select) => string;

type ViewerEquals = (values: readonly Scalar[], binds: Binds, viewer: Actor) => string;

/** The names of the fields to read; all of them by default. */
type Select = readonly string[] | undefined;

/** Whether a field is read, which the id always is. */
export const isSelected = (name: string, select: Select): boolean =>
  !select || name === 'id' || select.includes(name);

/** What is the same for all records is read once for a page, and together with the rest for a single record. */
export type Read = 'record' | 'page';

interface ViewerColumn {
  readonly kind: FieldKind;
  readonly sql: ViewerSql;
}

interface Shape {
  readonly table: string;
  /** The rule of the resource's policy, the same one that guards its entity. */
  readonly visible: (user: User) => Rule;
  /** The default order of lists; the id always comes last. */
  readonly order?: Find['sort'];
  /** The records that come first in that order. */
  readonly first?: (user: User) => Rule;
  /** Where the number of records of each owner is stored, if records are not counted each time. */
  readonly totals?: Totals;
  /** Fields that are not plain columns: SQL that returns JSON, using the name of the table. */
  readonly nested?: Readonly<Record<string, Field>>;
  /** Columns with comparisons of their own. */
  readonly special?: Readonly<Record<string, Partial<Column>>>;
  readonly viewerEquals?: ReadModel['viewerEquals'];
  /** SQL for values of which one changes whenever a nested field does. With it, the JSON of records is remembered. */
  readonly nestedFrom?: (viewer: User, binds: Binds) => readonly string[];
  /** Columns that rules and filters use but the view does not show. */
  readonly hidden?: Columns;
}

/** JSON produced by PostgreSQL, which is sent to the client unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Derives the read model of a view: a field is the column of the same name unless the shape defines it. */
export function readModel(view: z.ZodObject, shape: Shape): ReadModel {
  const { kinds } = fieldKinds(view);
  const columns: Record<string, Column> = { ...shape.hidden };
  const viewerColumns = new Map<string, ViewerColumn>();
  const fields = new Map<string, Field>();
  for (const name of Object.keys(view.shape)) {
    const kind = kinds.get(name);
    if (kind) columns[name] = { kind, sql: `${shape.table}.${name}`, ...shape.special?.[name] };
    const nested = shape.nested?.[name];
    if (kind && typeof nested === 'function') viewerColumns.set(name, { kind, sql: nested });
    if (!kind && !nested)
      throw new Error(`The field "${name}" of ${shape.table} has neither a column nor SQL.`);
    fields.set(name, nested ?? expression(`${shape.table}.${name}`, kind));
  }
  const { table, visible, order = [], first, totals, viewerEquals } = shape;
  const fingerprint = fingerprintOf(view, shape);
  return { table, columns, viewerColumns, viewerEquals, fields, visible, order, first, totals, fingerprint };
}

/**
 * A hash of what the JSON is made of. With a weaker one than SHA-256, somebody could find the name of a custom field with which
 * a contact has the hash that it has for somebody else, and be shown their fields.
 */
function fingerprintOf(
  view: z.ZodObject,
  { table, nested = {}, nestedFrom }: Shape,
): ReadModel['fingerprint'] {
  const plain = Object.keys(view.shape).filter((name) => !(name in nested));
  const columns = plain.map((name) => `${table}.${name}`);
  return (
    nestedFrom &&
    ((viewer, binds) => sha256Of(`row(${[...columns, ...nestedFrom(viewer, binds)].join(', ')})`))
  );
}

/** SQL for the SHA-256 of the text of a value, in Base64: bytes have another text in some databases. */
export const sha256Of = (value: string): string =>
  `encode(sha256(convert_to((${value})::text, 'UTF8')), 'base64')`;

/** All columns, as a viewer sees them. */
export function columnsFor(model: ReadModel, viewer: Actor): Columns {
  const { columns, viewerColumns, viewerEquals = {} } = model;
  const own = [...viewerColumns].map(([name, { kind, sql }]): [string, Column] => [
    name,
    { kind, sql: (binds) => sql(viewer, binds, 'page') },
  ]);
  const compared = Object.entries(viewerEquals).map(([name, equals]): [string, Column] => [
    name,
    { ...columnOf(name, columns), equals: (values, binds) => equals(values, binds, viewer) },
  ]);
  return { ...columns, ...Object.fromEntries([...own, ...compared]) };
}

/** SQL for an instant as clients see it. */
export const isoText = (instant: string) => `to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function expression(column: string, kind: Column['kind'] | undefined): string {
  return kind === 'instant' ? isoText(column) : column;
}

/** SQL for the records of a query as a JSON array. Not `json_agg`, which adds a line break and spaces between them. */
export const arrayOfAll = (records: string) => `array_to_json(array(select o from (${records}) o))`;

/** SQL for the child records of an outer record, by id, as a JSON array: a field of the outer record's view. */
export function arrayOf(model: ReadModel, condition: string): string {
  const records = `select ${plainFields(model, [...model.fields.keys()])} from ${model.table} where ${condition} order by ${model.table}.id`;
  return arrayOfAll(records);
}

/** SQL for some fields of the record that an outer one refers to, as a JSON object or null. */
export function objectOf(model: ReadModel, condition: string, fields: readonly string[]): string {
  return `(select to_json(o) from (select ${plainFields(model, fields)} from ${model.table} where ${condition}) o)`;
}

function plainFields({ table, fields }: ReadModel, names: readonly string[]): string {
  const wanted = names.map((name) => {
    const sql = fields.get(name);
    if (typeof sql !== 'string')
      throw new Error(`The field "${name}" of ${table} cannot be nested in another record.`);
    return `${sql} as ${name}`;
  });
  return wanted.join(', ');
}

/** The selected fields of a record. */
export function fieldsOf(
  { fields }: ReadModel,
  viewer: Actor,
  binds: Binds,
  select: Select,
  read: Read,
): string {
  const wanted = [...fields].filter(([name]) => isSelected(name, select));
  const sqlOf = (field: Field) => (typeof field === 'string' ? field : field(viewer, binds, read, select));
  return wanted.map(([name, field]) => `${sqlOf(field)} as ${name}`).join(', ');
}
