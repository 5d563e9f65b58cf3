/**
 * A rule over the fields of a record: `{ user_id: 1 }`, `{ user_id: [1, 2] }`, `{ shared: { $contains: [1] } }` and
 * `{ shared: { $overlap: ['a', 'b'] } }` for a field that is a list, `{ $or: [rule, …] }`. A record must meet all parts.
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
