type Filter<T> =
  | T
  | readonly T[]
  | {
      readonly $ne?: T;
      readonly $in?: readonly T[];
      readonly $nin?: readonly T[];
      readonly $lt?: T;
      readonly $lte?: T;
      readonly $gt?: T;
      readonly $gte?: T;
      readonly $like?: string;
    };

export type Filters<View> = { readonly [Field in keyof View]?: Filter<View[Field]> } & {
  readonly $or?: readonly Filters<View>[];
  readonly $and?: readonly Filters<View>[];
};

/** Conditions on parts of fields, such as `custom_fields.12`. */
export type PartFilters<Part extends string> = { readonly [Name in `${Part}.${number}`]?: Filter<string> };

/** The query language as TypeScript callers write it; as a query string it is `rank[$gt]=2&$sort[rank]=-1`. */
export type FindInput<View, Part extends string = never> = Filters<View> &
  PartFilters<Part> & {
    readonly $limit?: number;
    readonly $skip?: number;
    readonly $after?: string;
    readonly $sort?: { readonly [Field in keyof View]?: 1 | -1 };
    readonly $select?: readonly (keyof View)[];
    readonly $load?: string | readonly string[];
  };
