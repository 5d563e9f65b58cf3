/** Who sends a value: clients send requests, the system sends responses and events. */
export type Direction = 'request' | 'response';

/** A change that can break a program written for the old document. */
export interface BreakingChange {
  /** Stays the same in every comparison; an entry in the changelog refers to the change by it. */
  readonly id: string;
  /** What changed and where, as one sentence. */
  readonly sentence: string;
  /** The affected operations or events, if the change is in a schema that several of them share. */
  readonly reaches: readonly string[];
}

/** The part of two documents that is compared. */
export interface Place {
  /** `openapi`, `asyncapi` or `contract <service>`. */
  readonly document: string;
  /** The operation or event that is compared. */
  readonly operation: string;
  /** The named schema that is compared, when it has the same name in both documents. */
  readonly schema?: string;
  /** The part of the operation, such as `response 200`. */
  readonly part: string;
  /** The field within the part, such as `data[].email`. */
  readonly field: string;
  readonly direction: Direction;
}

/** What a rule found: `what` becomes part of the id and contains no number that may change again; `says` is the sentence. */
export interface Finding {
  readonly what: string;
  readonly says: string;
}

export const breakAt = (place: Place, { what, says }: Finding): BreakingChange => {
  const owner = place.schema ?? place.operation;
  const field = place.field === '' || place.field.startsWith('[]') ? place.field : ` field ${place.field}`;
  const spot = `${place.part}${field}`.trim();
  return {
    id: `${place.document} ${owner}: ${spot ? `${spot} ` : ''}${what}`,
    sentence: `${spot ? `The ${spot} of ` : ''}${owner} ${says}.`,
    reaches: place.schema === undefined ? [] : [place.operation],
  };
};

export const removed = (place: Place, what = 'removed'): BreakingChange =>
  breakAt(place, { what, says: 'was removed' });

/** A whole operation or event of a document. */
export const placeOf = (document: string, operation: string, direction: Direction): Place => ({
  document,
  operation,
  part: '',
  field: '',
  direction,
});

export const fieldOf = (place: Place, name: string): Place => ({
  ...place,
  field: place.field ? `${place.field}.${name}` : name,
});

export const itemsOf = (place: Place): Place => ({ ...place, field: `${place.field}[]` });

/** Each change once, with all affected operations. */
export function merged(changes: readonly BreakingChange[]): BreakingChange[] {
  const byId = Map.groupBy(changes, ({ id }) => id);
  return [...byId.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const reaches = [first, ...others].flatMap((change) => change.reaches);
    return [{ ...first, reaches: [...new Set(reaches)] }];
  });
}
