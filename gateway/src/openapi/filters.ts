import { isDeepStrictEqual } from 'node:util';
import type { FieldKind } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';

/** The records that each operator selects. */
const meanings = {
  $ne: 'Is not this value.',
  $in: 'Is one of these values.',
  $nin: 'Is none of these values.',
  $lt: 'Is less than this value.',
  $lte: 'Is at most this value.',
  $gt: 'Is greater than this value.',
  $gte: 'Is at least this value.',
  $like: 'Is like this text, ignoring case. `%` stands for any characters, and `_` for one.',
} as const;
type Operator = keyof typeof meanings;

const exact = ['$ne', '$in', '$nin'] as const;
const comparisons = ['$lt', '$lte', '$gt', '$gte'] as const;

/** The operators that are useful for a kind of field. The others work too, and are described once for all lists. */
const useful: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: [...exact, '$like'],
  integer: [...exact, ...comparisons],
  number: comparisons,
  instant: comparisons,
  localTime: comparisons,
  duration: [...exact, ...comparisons],
  boolean: ['$ne'],
};

export interface FilteredField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly choices: readonly string[] | undefined;
}

/** The parameters that filter lists. Fields with the same name and values share theirs. */
export function filterParameters() {
  const components: Record<string, oas31.ParameterObject> = {};
  const share = (key: string, noun: string, parameter: oas31.ParameterObject): oas31.ReferenceObject => {
    const known = components[key];
    const name = known && !isDeepStrictEqual(known, parameter) ? `${noun}.${key}` : key;
    components[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  };
  return {
    components,
    /** The parameters of one field of a list. */
    of: (noun: string, field: FilteredField): oas31.ReferenceObject[] => {
      // Generators drop the dots: `by.user.id` would get the same name as `by.user_id`.
      const key = field.name.includes('.') ? `by.part.${field.name}` : `by.${field.name}`;
      return [
        share(key, noun, equality(field)),
        ...operatorsOf(field).map((operator) =>
          share(`${key}.${operator.slice(1)}`, noun, comparison(field, operator)),
        ),
      ];
    },
  };
}

function operatorsOf({ name, kind, choices }: FilteredField): readonly Operator[] {
  const isReference = /_id$/.test(name) && kind === 'integer';
  return choices || isReference ? exact : useful[kind];
}

const formats: Readonly<Partial<Record<FieldKind, string>>> = {
  instant: 'date-time',
  localTime: 'date-time-local',
  duration: 'hours-minutes-seconds',
};

function schemaOf({ kind, choices }: FilteredField): oas31.SchemaObject {
  const format = formats[kind];
  if (format) return { type: 'string', format };
  return { type: kind === 'text' ? 'string' : (kind as 'integer'), ...(choices && { enum: [...choices] }) };
}

function equality(field: FilteredField): oas31.ParameterObject {
  const isText = field.kind === 'text' && !field.choices;
  const description = `Is this value; if repeated, one of them.${isText ? ' If empty, null or the empty text.' : ''}`;
  const schema: oas31.SchemaObject = { type: 'array', items: schemaOf(field) };
  return { name: field.name, in: 'query', style: 'form', explode: true, description, schema };
}

function comparison(field: FilteredField, operator: Operator): oas31.ParameterObject {
  const isList = operator === '$in' || operator === '$nin';
  const value = operator === '$like' ? ({ type: 'string' } as const) : schemaOf(field);
  return {
    name: `${field.name}[${operator}]`,
    in: 'query',
    ...(isList && { style: 'form', explode: true }),
    description: meanings[operator],
    schema: isList ? { type: 'array', items: value } : value,
  };
}
