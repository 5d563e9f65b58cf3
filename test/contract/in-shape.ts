import { isInShape } from '@crm/testing';
import { type Shape, shapes } from '../system.ts';

/**
 * The part of a list that a run tests in a shape. The other part is tested in the other shape. The code under test is the
 * same in both shapes; only the transport differs, and it is the same for all of a service.
 */
export function inShape<One>(shape: Shape, all: readonly One[]): readonly One[] {
  return all.filter((_, index) => isInShape(index, shapes.indexOf(shape)));
}
