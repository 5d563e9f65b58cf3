import type { Cause } from '@crm/contract';
import { z } from 'zod';

/** A row that a worker has leased. Each lease has a new number of attempts, so that an expired one changes nothing. */
export interface Leased {
  readonly id: number;
  readonly attempts: number;
}

/** What every queue reads from a row. */
export const DueRow = z.object({
  id: z.int(),
  attempts: z.int(),
  /** The key by which a provider recognizes a row that is sent again. */
  key: z.string(),
  seconds_late: z.number(),
});

export interface DueRow extends z.output<typeof DueRow> {
  /** The request and span that it follows from. */
  readonly cause?: Cause;
}

/** SQL of the columns of `DueRow` and of the cause, from `leased`; `dueAt` is the column of the due time. */
export const dueColumns = (dueAt: string) =>
  `leased.id, leased.attempts, leased.key, leased.cause, extract(epoch from now() - leased.${dueAt})::float8 as seconds_late`;
