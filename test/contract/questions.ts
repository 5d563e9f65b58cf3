import type { FieldKind } from '@crm/contract';
import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../system/api.ts';
import type { Filter, Operator, Question, Value } from './reference-model.ts';
import { choicesOf, formsOf, kindsOf, type Resource } from './resources.ts';

const letters = ['a', 'A', 'b', 'B', 'é', 'É', '😀', '%', '_', '\\', "'", ',', ' ', '1'];

/** Short texts of few letters, so that some of them match. */
export const shortText: Arbitrary<string> = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));

const comparisons: readonly Operator[] = ['$in', '$nin', '$ne', '$lt', '$lte', '$gt', '$gte'];
const single: readonly Operator[] = ['$ne', '$lt', '$lte', '$gt', '$gte', '$like'];

/** Queries that match some records and not others, over all fields of the view. */
export function questions(resource: Resource, records: readonly Json[]): Arbitrary<Question> {
  const fields = [...kindsOf(resource)];
  const filter = fc
    .constantFrom(...fields)
    .chain(([field, kind]) => filterOf(resource, records, field, kind));
  // One filter per field of a group, because a field cannot have both a value and an operator.
  const group = (least: number) =>
    fc.uniqueArray(filter, { minLength: least, maxLength: 3, selector: ({ field }) => field });
  const names = Object.keys(resource.view.shape);
  return fc.record({
    filters: fc.oneof({ arbitrary: group(0), weight: 3 }, { arbitrary: fc.constant([]), weight: 1 }),
    groups: fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      { arbitrary: fc.array(group(1), { minLength: 1, maxLength: 3 }), weight: 1 },
    ),
    sort: fc.uniqueArray(
      fc.tuple(fc.constantFrom(...fields.map(([field]) => field)), fc.constantFrom<1 | -1>(1, -1)),
      { maxLength: 2, selector: ([field]) => field },
    ),
    limit: fc.oneof(fc.constant(1000), fc.nat(12)),
    skip: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat(20), weight: 1 }),
    select: fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined, freq: 3 }),
  });
}

/** Values of all fields whose texts have a form. */
const formed: readonly string[] = ['#3b274c', '09:00:00', '97201'];

function filterOf(
  resource: Resource,
  records: readonly Json[],
  field: string,
  kind: FieldKind,
): Arbitrary<Filter> {
  const form = formsOf(resource).get(field);
  const choices = choicesOf(resource).get(field) ?? (form && formed.filter((value) => !form(value)));
  const operators = kind === 'text' ? [...comparisons, '$like' as const] : comparisons;
  return fc.constantFrom(...operators).chain((operator) => {
    const exact = operator === '$in' || operator === '$nin' || operator === '$ne';
    const stored = records.map((record) => record[field] as Value).filter((value) => value !== null);
    const present = stored.length > 0 ? [fc.constantFrom(...stored)] : [];
    const invented = choices && exact ? fc.constantFrom(...choices) : valueOfKind(kind);
    // In a query string a text cannot be null; for other kinds the word means null.
    const none = exact && kind !== 'text' ? [fc.constant(null)] : [];
    const empty = exact && kind === 'text' ? [fc.constant('')] : [];
    const value: Arbitrary<Value> =
      operator === '$like'
        ? fc.oneof(
            shortText,
            shortText.map((text) => `%${text}%`),
          )
        : fc.oneof(...present, invented, ...none, ...empty);
    const most = single.includes(operator) ? 1 : 6;
    return fc
      .array(value, { minLength: 1, maxLength: most })
      .map((values): Filter => ({ field, operator, values }));
  });
}

function valueOfKind(kind: FieldKind): Arbitrary<Value> {
  switch (kind) {
    case 'integer':
      return fc.oneof(fc.integer({ min: -3, max: 60 }), fc.constantFrom(2147483648, -9007199254740991));
    case 'number':
      return fc.integer({ min: -40, max: 40 }).map((value) => value / 4);
    case 'boolean':
      return fc.boolean();
    case 'instant':
      return fc.constantFrom('2026-01-02', '2026-01-02T00:00:00Z', '2026-01-05T12:00:00.500Z', '2030-01-01');
    case 'localTime':
      return fc.constantFrom('2026-01-02', '2026-01-05T09:00:00', '2026-01-09 09:00:00', '2030-01-01T00:00');
    case 'duration':
      return fc.constantFrom('00:00:00', '0:00:01', '26:30:00', '123456789:59:59');
    case 'text':
      return shortText;
  }
}
