/** A value of the chart, with what it means. */
export interface Described {
  readonly path: string;
  readonly value: unknown;
  readonly meaning: string;
}
