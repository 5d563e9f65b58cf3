import { type FieldError, unknown } from './field-error.ts';
import { type Filterable, isPart } from './filterable.ts';
import { isRecord, listOf } from './list-of.ts';
import {
  addError,
  type Condition,
  limits,
  type Position,
  readField,
  tooManyConditions,
  type ValidationError,
} from './read-field.ts';

const groupOperators: readonly string[] = ['$or', '$and'];

/**
 * Reads filters: `{ rank: '2' }`, `{ rank: ['1', '2'] }`, `{ rank: { $gt: 1 } }`, `{ $or: [{ … }, { … }] }`. Anything unknown is
 * an error, because ignoring a filter would return records that nobody asked for. `parameters` are the names that a request may
 * have besides its filters; they are suggested for a misspelled name.
 */
export function readWhere(
  raw: Readonly<Record<string, unknown>>,
  fields: Filterable,
  parameters: readonly string[],
) {
  const errors: ValidationError[] = [];
  const conditions = readGroup(raw, fields, {
    errors,
    path: [],
    depth: 0,
    parameters,
    left: { conditions: limits.conditions, likes: limits.likes },
  });
  return { conditions, errors };
}

function readGroup(raw: Readonly<Record<string, unknown>>, fields: Filterable, at: Position): Condition[] {
  return Object.entries(raw).flatMap(([name, value]): Condition[] => {
    const here = { ...at, path: [...at.path, name] };
    if (value === undefined) return [];
    if (at.left.conditions-- <= 0) return addError(here, tooManyConditions);
    if (name === '$or') return [{ any: readGroups(value, fields, here) }];
    if (name === '$and') return readGroups(value, fields, here).flat();
    if (isPart(name, fields.parts)) return readField({ name, kind: 'text' }, changed(value, asText), here);
    const kind = fields.kinds.get(name);
    const sent = fields.withNone.has(name) ? changed(value, withoutNone) : value;
    const [choices, form] = [fields.choices.get(name), fields.forms.get(name)];
    if (kind) return readField({ name, kind, choices, form }, sent, here);
    return addError(here, unknownName(name, fields, at));
  });
}

/** Only the service knows whether the values of parts are numbers. */
const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value);

const withoutNone = (value: unknown) => (value === 'None' ? null : value);

/** A condition with each of its values converted. */
function changed(value: unknown, change: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner, change)]));
}

function unknownName(name: string, fields: Filterable, { parameters }: Position): string | FieldError {
  if (fields.parts.has(name)) return `needs the id of one, such as ${name}.12=…`;
  if (fields.nested.has(name)) return 'cannot be used as a filter';
  return unknown(name.startsWith('$') ? 'operator' : 'field', name, [
    ...fields.kinds.keys(),
    ...groupOperators,
    ...parameters,
  ]);
}

function readGroups(value: unknown, fields: Filterable, at: Position): Condition[][] {
  const groups = listOf(value);
  if (!groups || groups.length === 0 || !groups.every(isRecord)) {
    return addError(at, 'must be a list of conditions, such as $or[0][name]=a&$or[1][name]=b');
  }
  if (at.depth >= limits.depth) return addError(at, `is nested more than ${limits.depth} levels deep`);
  return groups.map((group, index) =>
    readGroup(group, fields, {
      ...at,
      path: [...at.path, String(index)],
      depth: at.depth + 1,
      parameters: [],
    }),
  );
}
