import { isEachInBoth } from '@crm/testing';

/** Multiplies the number of random cases. Raise it for long runs. */
export const scale = Number(process.env.TEST_SCALE ?? 1);

/** Splits the random cases of a property between the two shapes that run it. */
export const inEachShape = (cases: number): number => Math.ceil((cases * scale) / 2);

/** The cases of a property whose shape `inShape` selects: half of them if it runs in both. */
export const inItsShape = (cases: number): number => (isEachInBoth ? inEachShape(cases) : cases * scale);
