import type { ServiceName } from '../system/services.ts';

/** An inconsistency. */
export interface Discrepancy {
  readonly service: ServiceName;
  /** What is wrong with these records. */
  readonly what: string;
  readonly count: number;
  /** The ids of some of them. */
  readonly examples: readonly string[];
  /** What to do about them. */
  readonly advice: string;
  /** How many of them were fixed. */
  readonly repaired: number;
}

/** How many rows are compared at once, so that the memory for a comparison does not depend on their total number. */
export const portion = 5_000;

export const examplesShown = 5;

/** Fixes one portion of what was found, and returns how many were fixed. Undefined if nothing is to be fixed. */
export type Repair<Found> = ((found: readonly Found[]) => Promise<number>) | undefined;

type About = Pick<Discrepancy, 'service' | 'what' | 'advice'>;

/** What a statement has counted, with a few examples. */
export type Counted = Pick<Discrepancy, 'count' | 'examples'>;

/** What a statement has found that cannot be fixed. */
export const unrepaired = (about: About, found: readonly Counted[]): Discrepancy[] =>
  found.filter(({ count }) => count > 0).map((counted) => ({ ...about, ...counted, repaired: 0 }));

/** Collects what is found in portions: the number, a few examples, and the number of fixed ones. */
export async function gather<Found>(
  about: About,
  portions: AsyncIterable<readonly Found[]>,
  nameOf: (found: Found) => string,
  repair: Repair<Found>,
): Promise<Discrepancy[]> {
  let [count, repaired] = [0, 0];
  const examples: string[] = [];
  for await (const found of portions) {
    if (found.length === 0) continue;
    count += found.length;
    examples.push(...found.slice(0, examplesShown - examples.length).map(nameOf));
    if (repair) repaired += await repair(found);
  }
  return count === 0 ? [] : [{ ...about, count, examples, repaired }];
}
