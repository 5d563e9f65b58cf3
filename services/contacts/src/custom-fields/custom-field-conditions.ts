import { type Condition, invalidField, isError, readScalar, type Scalar, unknownRecord } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Column } from '@crm/query';
import type { Context } from '@crm/service';
import { type CustomFieldType, columnOfValues, typesOfFields } from './custom-field.queries.ts';

const part = /^custom_fields\.(\d+)$/;

interface Filtered<Model> {
  readonly model: Model;
  readonly where: readonly Condition[];
}

/**
 * Conditions on contacts with those on custom fields, such as `custom_fields.12`, read in the way of their types, and the
 * model with a column for each. Throws BadRequest for a field that the caller does not see and for a wrong value.
 */
export async function withCustomFields<Model extends ReadModel>(
  ctx: Pick<Context, 'query' | 'actor'>,
  { model, where }: Filtered<Model>,
): Promise<Filtered<Model>> {
  const ids = new Set(where.flatMap(idsIn));
  if (ids.size === 0) return { model, where };
  const types = await typesOfFields(ctx, [...ids]);
  const columns = [...types].map(([id, type]): [string, Column] => [
    `custom_fields.${id}`,
    columnOfValues(id, type),
  ]);
  return {
    model: { ...model, columns: { ...model.columns, ...Object.fromEntries(columns) } },
    where: where.map((condition) => read(condition, types)),
  };
}

const idOf = (field: string) => part.exec(field)?.[1];

function idsIn(condition: Condition): string[] {
  if ('any' in condition) return condition.any.flat().flatMap(idsIn);
  const id = idOf(condition.field);
  return id === undefined ? [] : [id];
}

type Among = Extract<Condition, { readonly value: readonly Scalar[] }>;
const isAmong = (condition: Exclude<Condition, { readonly any: unknown }>): condition is Among =>
  condition.op === '$in' || condition.op === '$nin';

function read(condition: Condition, types: ReadonlyMap<string, CustomFieldType>): Condition {
  if ('any' in condition) return { any: condition.any.map((group) => group.map((one) => read(one, types))) };
  const { field } = condition;
  const id = idOf(field);
  if (id === undefined) return condition;
  const type = types.get(id);
  if (!type) throw invalidField(field, unknownRecord(id));
  if (isAmong(condition))
    return { ...condition, value: condition.value.map((value) => readValue(field, value, type)) };
  if (condition.op === '$like') {
    if (type !== 'Text') throw invalidField(field, 'is only supported with $like if its type is Text');
    return condition;
  }
  const value = readValue(field, condition.value, type);
  if (value === null && condition.op !== '$ne') throw invalidField(field, 'cannot be compared with null');
  return { ...condition, value };
}

function readValue(field: string, sent: Scalar, type: CustomFieldType): Scalar {
  if (type === 'Text') return sent;
  const value = readScalar(sent, type === 'Date' ? 'instant' : 'number');
  if (isError(value))
    throw invalidField(field, type === 'Date' ? 'must be a date such as 2026-03-01' : value.message);
  return type === 'Date' && typeof value === 'string' ? value.slice(0, 10) : value;
}
