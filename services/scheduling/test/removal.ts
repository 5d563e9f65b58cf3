import { removeStoppedEverywhere } from '../src/enrolments/remove-stopped.ts';
import type { SchedulingUnderTest } from './harness.ts';
import { log } from './quiet-log.ts';

/** Removes what stopped campaigns would have sent, as the worker does. */
export const removeLater = ({ database }: Pick<SchedulingUnderTest, 'database'>, now = new Date()) =>
  removeStoppedEverywhere({ database, clock: () => now, log });
