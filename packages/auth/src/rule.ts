/** A rule over the fields of a record: `{ user_id: 1 }`, `{ user_id: [1, 2] }`, `{ $or: [rule, …] }`; all parts hold. */
export type Rule = {
  readonly [field: string]: number | string | boolean | null | readonly number[] | readonly Rule[];
};
