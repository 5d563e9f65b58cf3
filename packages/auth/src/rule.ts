/**
 * A rule over the fields of a record: `{ user_id: 1 }`, `{ user_id: [1, 2] }`, `{ shared: { $contains: [1] } }` and `{ shared: {
 * $overlap: ['a', 'b'] } }` for a field that is a list, `{ $or: [rule, …] }`. A record must meet all parts.
 */
export type Rule = {
  readonly [field: string]:
    | number
    | string
    | boolean
    | null
    | readonly number[]
    | { readonly $contains: readonly number[] }
    | { readonly $overlap: readonly string[] }
    | readonly Rule[];
};

/** The owners whose records a rule selects, if it consists of that alone. */
export function ownersIn(
  reason: Rule,
): { readonly field: string; readonly ids: readonly number[] } | undefined {
  const [[field, value] = [], ...others] = Object.entries(reason);
  const ids = typeof value === 'number' ? [value] : value;
  return field !== undefined && others.length === 0 && isIds(ids)
    ? { field, ids: [...new Set(ids)] }
    : undefined;
}

/** The alternatives of a rule, one of which is enough, unless the rule has further parts. */
export const alternativesIn = (rule: Rule): readonly Rule[] =>
  isAny(rule.$or) && Object.keys(rule).length === 1 ? rule.$or : [rule];

type Value = Rule[string] | undefined;

export const isContains = (value: Value): value is { readonly $contains: readonly number[] } =>
  typeof value === 'object' && value !== null && '$contains' in value;

export const isOverlap = (value: Value): value is { readonly $overlap: readonly string[] } =>
  typeof value === 'object' && value !== null && '$overlap' in value;

const isAny = (value: Value): value is readonly Rule[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'object');
const isIds = (value: Value): value is readonly number[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'number');

type Fields = Readonly<Record<string, unknown>>;

/** Whether records meet a rule, with the same result as its SQL, for records that were read for several users at once. */
export function conditionOf(rule: Rule): (record: Fields) => boolean {
  const parts = Object.entries(rule).map(([field, value]) =>
    field === '$or' ? oneOf(value as readonly Rule[]) : conditionOn(field, value),
  );
  return (record) => parts.every((part) => part(record));
}

function oneOf(rules: readonly Rule[]): (record: Fields) => boolean {
  const alternatives = rules.map(conditionOf);
  return (record) => alternatives.some((alternative) => alternative(record));
}

function conditionOn(field: string, value: Rule[string]): (record: Fields) => boolean {
  const valueIn = (record: Fields): unknown => {
    if (!(field in record)) throw new Error(`The field "${field}" was not read.`);
    return record[field];
  };
  const listIn = (record: Fields) => valueIn(record) as readonly unknown[];
  if (isContains(value)) return (record) => value.$contains.every((id) => listIn(record).includes(id));
  if (isOverlap(value)) return (record) => value.$overlap.some((one) => listIn(record).includes(one));
  const values = new Set<unknown>([value].flat());
  return (record) => values.has(valueIn(record));
}
