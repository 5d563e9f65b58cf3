import type { Problem, RefusalName } from '@crm/contract';

export type CrmErrorName = RefusalName;

/** What a response with an error contains, besides its status. */
interface Facts extends Omit<Partial<Problem>, 'retryAfter'> {
  readonly status: number;
  readonly docs?: string;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
}

/** The API refused a request. `name` is the kind of error, and `errors` has a message for each invalid field. */
export class CrmError extends Error {
  override readonly name: CrmErrorName;
  readonly status: number;
  /** The exact error, which never changes. The guide about error codes explains each. */
  readonly reason: string | undefined;
  /** The URL of the explanation. */
  readonly docs: string | undefined;
  readonly errors: Problem['errors'];
  /** What is wrong with each invalid field, and what would be valid. */
  readonly details: NonNullable<Problem['details']>;
  /** Identifies the request in the system's logs. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor({ name, message, status, reason, docs, errors, details, requestId, retryAfter }: Facts) {
    super(message ?? `The API responded with status ${status}.`);
    this.name = name ?? 'GeneralError';
    this.status = status;
    this.reason = reason;
    this.docs = docs;
    this.errors = errors ?? {};
    this.details = details ?? {};
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** No response was received. The change may or may not have been made; repeating it with the same key tells. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The Idempotency-Key of a change. */
  readonly idempotencyKey: string | undefined;

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super('The API did not respond.', { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** Whether it is an error of the API, and has this name if one is given: `isCrmError(error, 'NotFound')`. */
export function isCrmError(error: unknown, name?: CrmErrorName): error is CrmError {
  return error instanceof CrmError && (name === undefined || error.name === name);
}

export async function errorOf(response: Response): Promise<CrmError> {
  const body: unknown = await response.json().catch(() => undefined);
  const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {};
  return new CrmError({
    ...problem,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: secondsIn(response.headers.get('retry-after')),
  });
}

/** Retry-After as this API and most proxies send it: in seconds. */
function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
