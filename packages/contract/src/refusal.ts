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

/** What a caller learns about an error, the same on every transport. */
export interface Problem {
  readonly name: RefusalName;
  readonly message: string;
  /** A message for each invalid field or parameter. */
  readonly errors: Readonly<Record<string, string>>;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
}

/** Thrown to refuse a request: rolls the transaction back and reaches the caller. Any other error is a fault. */
export class Refused extends Error implements Problem {
  override readonly name: RefusalName;
  readonly errors: Readonly<Record<string, string>>;
  readonly retryAfter?: number;
  /** Whether it is the stored response to the first request with the same Idempotency-Key. */
  readonly replayed: boolean;

  constructor(problem: {
    name: RefusalName;
    message: string;
    errors?: Problem['errors'];
    retryAfter?: number;
    replayed?: boolean;
  }) {
    super(problem.message);
    this.name = problem.name;
    this.errors = problem.errors ?? {};
    this.replayed = problem.replayed ?? false;
    if (problem.retryAfter !== undefined) this.retryAfter = problem.retryAfter;
  }
}

/** An error declared once, so that the contract can list it and the code can throw it. */
export interface Refusal {
  (detail?: { message?: string; errors?: Problem['errors']; retryAfter?: number }): Refused;
  readonly refusal: RefusalName;
  readonly message: string;
}

export function refusal(name: RefusalName, message: string): Refusal {
  const create = (detail: Parameters<Refusal>[0] = {}) => new Refused({ message, ...detail, name });
  return Object.assign(create, { refusal: name, message });
}

export const notFound = refusal('NotFound', 'No record found.');
export const forbidden = refusal('Forbidden', 'You may not do this.');
export const invalid = refusal('BadRequest', 'The request is not valid.');
export const unavailable = refusal('Unavailable', 'The service is temporarily unavailable.');

/** The error for a record that does not exist, and for one that the caller may not see: they cannot be told apart. */
export const noRecord = (id: unknown): Refused => notFound({ message: `No record found for id '${id}'` });

/** An invalid value in one field of a well-formed request. */
export const wrong = (field: string, message: string): Refused => invalid({ errors: { [field]: message } });
