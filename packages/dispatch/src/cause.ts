import type { Cause as Span } from '@crm/telemetry';
import { currentCause } from '@crm/telemetry';
import { z } from 'zod';

/** What a row that is sent later follows from: the request, and the span if traces are recorded. */
export const Cause = z.object({
  request_id: z.string().optional(),
  traceparent: z.string().optional(),
  /** When it was added, in ISO 8601. */
  at: z.string().optional(),
}) satisfies z.ZodType<Span>;
export type Cause = z.output<typeof Cause>;

/** What rows that are added now follow from, for their column `cause`; undefined if nothing is known of it. */
export function causeNow(request?: { readonly requestId: string }): Cause | undefined {
  const span = currentCause();
  if (!request) return span;
  return { request_id: request.requestId, ...span };
}

/** The same as JSON. */
export const causeText = (request?: { readonly requestId: string }): string | null => {
  const cause = causeNow(request);
  return cause ? JSON.stringify(cause) : null;
};

const Caused = z.object({ cause: Cause.nullish() });

/** The cause of a row as it was read. Rows of releases before have none. */
export const causeIn = (row: unknown): Cause => Caused.safeParse(row).data?.cause ?? {};
