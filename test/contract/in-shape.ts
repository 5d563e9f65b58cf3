import { type Shape, shapes } from '../system.ts';
import { seed } from './seed.ts';

/** Turbo counts a success for every later run of the same code, and none of them would test the other half. */
const isEachInBoth = process.env.TEST_SHAPES === 'both' || process.env.TURBO_HASH !== undefined;

/**
 * The half of a list that a run tests in a shape; the other half is tested in the other one, and the next run may have
 * it the other way round. What is tested so is the same code in both: only the way to it differs, and that is the same
 * for all of a service. `TEST_SHAPES=both` tests everything in both.
 */
export function inShape<One>(shape: Shape, all: readonly One[]): readonly One[] {
  return all.filter((_, index) => isEachInBoth || (index + seed) % shapes.length === shapes.indexOf(shape));
}
