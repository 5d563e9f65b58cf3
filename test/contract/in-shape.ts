import { type Shape, shapes } from '../system.ts';
import { seed } from './seed.ts';

/** Turbo counts a success for every later run of the same code, and none of them would test the other half. */
export const isEachInBoth = process.env.TEST_SHAPES === 'both' || process.env.TURBO_HASH !== undefined;

/**
 * The half of a list that a run tests in a shape. The other half is tested in the other shape, and another run may swap
 * them. The code under test is the same in both shapes; only the transport differs, and it is the same for all of a
 * service. `TEST_SHAPES=both` tests everything in both.
 */
export function inShape<One>(shape: Shape, all: readonly One[]): readonly One[] {
  return all.filter((_, index) => isEachInBoth || (index + seed) % shapes.length === shapes.indexOf(shape));
}
