import { randomUUID } from 'node:crypto';
import { Cause } from '@crm/contract';
import { currentCause, traced } from '@crm/telemetry';
import { z } from 'zod';

/** The cause of rows that are added now, for their column `cause`; undefined if it is not known. */
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

/** The cause of a row as it was read. Rows of earlier releases have none. */
export const causeIn = (row: unknown): Cause => Caused.safeParse(row).data?.cause ?? {};

/** Does deferred work on behalf of the request that caused its row or, if there is none, of a request of its own. */
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
