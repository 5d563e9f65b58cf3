import { randomUUID } from 'node:crypto';
import { maxCustomFields, plainName } from '@crm/contract';
import type { ActingClient, CustomField } from '../acting-client.ts';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { persistently } from '../persistently.ts';
import { findAll } from './catalogues.ts';
import { type Column, type Columns, customNamed } from './columns.ts';

export interface CustomColumns {
  readonly columns: Columns;
  /** The ids of the custom fields by the indexes of their columns. */
  readonly ids: ReadonlyMap<number, number>;
}

interface Choices {
  readonly createMissing: boolean;
  /** Whether the account may create any. */
  readonly mayCreate: boolean;
  /** Whether every other column is a custom field too. */
  readonly allOthers: boolean;
  readonly dryRun: boolean;
}

/**
 * The custom fields of the columns. A column that matches no field of a contact fills the custom field with its name. If a field
 * does not exist and may not be created, throws before any is created.
 */
export async function findCustomFields(
  { contacts, userId }: ActingClient,
  columns: Columns,
  { createMissing, mayCreate, allOthers, dryRun }: Choices,
): Promise<CustomColumns> {
  const fields = await findAll((query) => contacts.customFields.find(query));
  // Several fields with one name are in the order in which an export has their columns.
  const isOwn = ({ user_id }: CustomField) => Number(user_id === userId);
  const own = fields.sort((a, b) => isOwn(b) - isOwn(a) || a.rank - b.rank || a.id - b.id);
  const found = withOthers(columns, own, allOthers);
  const ids = new Map<number, number>();
  const missing: Column[] = [];
  for (const column of found.used.filter(({ custom }) => custom)) {
    const field = fieldFor(column, own, new Set(ids.values()));
    if (!field) missing.push(column);
    else ids.set(column.index, field.id);
  }
  if (missing.length > 0 && !(createMissing && mayCreate)) throw missingFields(missing, mayCreate);
  const left = maxCustomFields - fields.filter(({ user_id }) => user_id === userId).length;
  if (missing.length > Math.max(left, 0)) throw tooManyFields(missing.length, left);
  for (const [index, column] of missing.entries()) {
    // In a dry run any id works.
    const id = dryRun ? 2 ** 31 - 1 - index : await createField(contacts, column);
    ids.set(column.index, id);
  }
  return { columns: withTypes(found, own, ids), ids };
}

function withOthers(columns: Columns, fields: readonly CustomField[], allOthers: boolean): Columns {
  const isField = (header: string) => fields.some(({ name }) => plainName(name) === plainName(header));
  const others = columns.unused.filter(
    ({ header, isLeftOut }) => !isLeftOut && (allOthers || isField(header)),
  );
  const used = [...columns.used, ...others.map((one): Column => ({ ...one, ...customNamed(one.header) }))];
  return {
    ...columns,
    used: used.sort((a, b) => a.index - b.index),
    unused: columns.unused.filter((one) => !others.includes(one)),
  };
}

/** An exact name takes precedence over another case; several fields with the same name each have their own column. */
function fieldFor({ custom }: Column, fields: readonly CustomField[], taken: ReadonlySet<number>) {
  const free = fields.filter(({ id }) => !taken.has(id));
  const named = free.filter(({ name }) => name === custom?.name);
  return (
    named.find(({ data_type }) => data_type === custom?.dataType) ??
    named[0] ??
    free.find(({ name }) => plainName(name) === plainName(custom?.name ?? ''))
  );
}

/** Values are checked by the type of the existing field. */
function withTypes(
  columns: Columns,
  fields: readonly CustomField[],
  ids: ReadonlyMap<number, number>,
): Columns {
  const used = columns.used.map((column) => {
    const field = fields.find(({ id }) => id === ids.get(column.index));
    return field && column.custom
      ? { ...column, custom: { ...column.custom, dataType: field.data_type } }
      : column;
  });
  return { ...columns, used };
}

function missingFields(missing: readonly Column[], mayCreate: boolean): ContactsCsvError {
  const advice = mayCreate
    ? 'Create them, or let the import create what is missing.'
    : 'The account may not create any; leave their columns out, or ask the broker.';
  const names = missing.map(({ custom }) => `"${custom?.name}"`).join(', ');
  return new ContactsCsvError('NoCustomField', `These custom fields do not exist: ${names}. ${advice}`);
}

function tooManyFields(missing: number, left: number): ContactsCsvError {
  const room = left > 0 ? `only ${left} more` : 'no more';
  return new ContactsCsvError(
    'TooManyCustomFields',
    `The import would create ${missing} custom fields, but the account can have ${room} (${maxCustomFields} in all). Remove some, or leave columns out.`,
  );
}

async function createField({ customFields }: ActingClient['contacts'], { custom }: Column): Promise<number> {
  const idempotencyKey = randomUUID();
  const draft = { name: custom?.name ?? '', data_type: custom?.dataType ?? 'Text' } as const;
  return (await persistently(() => customFields.create(draft, { idempotencyKey }))).id;
}
