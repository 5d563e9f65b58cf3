import { randomUUID } from 'node:crypto';
import { Cause } from '@crm/contract';
import { currentCause, traced } from '@crm/telemetry';
import { z } from 'zod';

/** What rows that are added now follow from, for their column `cause`; undefined if nothing is known of it. */
export function causeNow(request?: { readonly requestId: string }): Cause | undefined {
  const span = currentCause();
  if (!request) return span;
  return { request_id: request.requestId, ...span };
}

/** The result of `causeNow` as JSON. */
export const causeText = (request?: { readonly requestId: string }): string | null => {
  const cause = causeNow(request);
  return cause ? JSON.stringify(cause) : null;
};

const Caused = z.object({ cause: Cause.nullish() });

/** The cause of a row as it was read. Rows of releases before have none. */
export const causeIn = (row: unknown): Cause => Caused.safeParse(row).data?.cause ?? {};

/** Does work that a row has waited for, on behalf of the request that it follows from, or of one of its own if there is none. */
export function resume<Result>(
  name: string,
  row: unknown,
  work: (requestId: string) => Promise<Result>,
): Promise<Result> {
  const cause = causeIn(row);
  const { request_id: requestId = randomUUID() } = cause;
  const facts = () => ({ name, kind: 'consumer', attributes: { 'crm.request_id': requestId } }) as const;
  return traced(facts, () => work(requestId), { causes: () => [cause] });
}
