import { type FieldDetail, type FieldError, type FieldErrors, sentenceOf } from './field-error.ts';

/** The names of errors, as clients know them, with the HTTP status of each. */
export const statuses = {
  BadRequest: 400,
  NotAuthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UriTooLong: 414,
  UnsupportedMediaType: 415,
  Unprocessable: 422,
  TooManyRequests: 429,
  GeneralError: 500,
  Unavailable: 503,
} as const;

export type RefusalName = keyof typeof statuses;

/** What a caller learns about an error, the same over every transport. */
export interface Problem {
  readonly name: RefusalName;
  readonly message: string;
  /** The exact error, for programs. Each has an entry in the guide about error codes. */
  readonly reason?: string;
  /** A message for each invalid field or parameter. */
  readonly errors: Readonly<Record<string, string>>;
  /** Details for programs about each invalid field: what is wrong, and what would be valid. */
  readonly details?: Readonly<Record<string, FieldDetail>>;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
}

/** Thrown to refuse a request: rolls the transaction back and reaches the caller. Any other error is a fault. */
export class Refused extends Error implements Problem {
  override readonly name: RefusalName;
  readonly reason: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, FieldDetail>>;
  readonly retryAfter?: number;
  /** Whether it is the stored response to the first request with the same Idempotency-Key. */
  readonly replayed: boolean;

  constructor(problem: Pick<Problem, 'name' | 'message'> & Partial<Problem> & RefusalOrigin) {
    super(problem.message, 'cause' in problem ? { cause: problem.cause } : undefined);
    this.name = problem.name;
    // A service of an earlier version sends none.
    this.reason = problem.reason ?? inSnakeCase(problem.name);
    this.errors = problem.errors ?? {};
    this.details = problem.details ?? {};
    this.replayed = problem.replayed ?? false;
    if (problem.retryAfter !== undefined) this.retryAfter = problem.retryAfter;
  }
}

/** What a caller learns about a refusal, to send it to another process or to store it. */
export function problemOf({ name, message, reason, errors, details, retryAfter }: Refused): Problem {
  return {
    name,
    message,
    reason,
    errors,
    ...(Object.keys(details).length > 0 && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

interface RefusalOrigin {
  readonly replayed?: boolean;
  /** The error that it replaces. It is logged, and never reaches the caller. */
  readonly cause?: unknown;
}

/** Whether the same request may succeed later without any other change. */
export const isTemporary = ({ name, retryAfter }: Refused): boolean =>
  retryAfter !== undefined || name === 'TooManyRequests' || name === 'Unavailable';

const inSnakeCase = (name: RefusalName) => name.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase();

/** The entry of one error code in the guide. */
export interface ErrorEntry {
  readonly when: string;
  readonly fix: string;
  /** A request that is refused with it: a line with method and path, its headers, and after an empty line its body. */
  readonly example: string;
  /** The precondition for the example, if the request alone does not cause the error. */
  readonly given?: string;
}

/** An error declared once, so that the contract can list it, the guide can explain it and the code can throw it. */
export interface Refusal extends ErrorEntry {
  (detail?: Detail): Refused;
  readonly refusal: RefusalName;
  readonly reason: string;
  readonly message: string;
}

interface Detail {
  readonly message?: string;
  /** The errors of invalid fields. A plain string is the error of an invalid value. */
  readonly errors?: Readonly<Record<string, string | FieldError>>;
  readonly details?: Problem['details'];
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Declares an error. Its `reason` is unique and never changes. */
export function refusal(
  name: RefusalName,
  message: string,
  { reason, ...entry }: ErrorEntry & { readonly reason: string },
): Refusal {
  const create = ({ errors, ...detail }: Detail = {}) =>
    new Refused({ message, reason, ...detail, ...(errors && { errors: messagesIn(errors) }), name });
  return Object.assign(create, { refusal: name, reason, message, ...entry });
}

/** BadRequest for invalid fields, with the message and reason of the first one. */
export function invalidFields({ errors }: { readonly errors: FieldErrors }): Refused {
  const fields = Object.entries(errors).map(([field, error]) => [field, asFieldError(error)] as const);
  return new Refused({
    name: 'BadRequest',
    message: sentenceOf(fields),
    reason: fields[0]?.[1].reason ?? 'invalid_value',
    errors: messagesIn(errors),
    details: Object.fromEntries(fields.map(([field, { message: _, ...detail }]) => [field, detail])),
  });
}

/** An invalid value in one field of a well-formed request. */
export const invalidField = (field: string, error: string | FieldError): Refused =>
  invalidFields({ errors: { [field]: error } });

/** The errors of invalid fields, with all known details. */
export const fieldErrorsIn = ({ errors, details }: Refused): [field: string, error: FieldError][] =>
  Object.entries(errors).map(([field, message]) => [field, { ...asFieldError(message), ...details[field] }]);

const asFieldError = (error: string | FieldError): FieldError =>
  typeof error === 'string' ? { message: error, reason: 'invalid_value' } : error;

function messagesIn(errors: FieldErrors): Problem['errors'] {
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [field, asFieldError(error).message]),
  );
}
