import type { Draft, Format } from '../format.ts';
import type { Column } from './columns.ts';

/** Adds the values that all rows of a file get to the draft of a new contact. */
export type ForAll = (draft: Draft) => Draft;

/** Which missing records may be created. */
export interface MayCreate {
  readonly hotness: boolean;
  readonly source: boolean;
  readonly customField: boolean;
}

/** How the names in a row are resolved, and what rows may contain. */
export interface Names {
  readonly format: Format;
  readonly userId: number;
  hotness(name: string): number | undefined;
  source(name: string): number | undefined;
  /** A colleague of the user, by e-mail address or full name. */
  person(name: string): number | undefined;
  /** The custom field that a column fills. */
  customField(column: Column): number;
  readonly createMissing: boolean;
  readonly mayCreate: MayCreate;
  /** Whether each row adds a contact, so that an export can be imported again. */
  readonly addsEach: boolean;
  /** The values that each row gets besides its own. */
  readonly forAll?: ForAll | undefined;
  /** The current date, which determines the century of a two-digit year. */
  readonly today: string;
}
