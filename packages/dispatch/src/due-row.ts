import type { Cause } from '@crm/contract';
import { z } from 'zod';

/** A row that a worker has leased. The next lease has another number of attempts, so that an old one changes nothing. */
export interface Leased {
  readonly id: number;
  readonly attempts: number;
}

/** What every queue reads of a row. */
export const DueRow = z.object({
  id: z.int(),
  attempts: z.int(),
  /** By which a provider recognizes the row when it is sent again. */
  key: z.string(),
  seconds_late: z.number(),
});

export interface DueRow extends z.output<typeof DueRow> {
  /** What it follows from. */
  readonly cause?: Cause;
}

/** SQL of what `DueRow` reads, and the cause, from `leased`, whose rows are due at a column. */
export const dueColumns = (dueAt: string) =>
  `leased.id, leased.attempts, leased.key, leased.cause, extract(epoch from now() - leased.${dueAt})::float8 as seconds_late`;
