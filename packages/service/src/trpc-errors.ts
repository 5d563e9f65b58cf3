import { type Problem, type RefusalName, Refused, type TrpcError } from '@crm/contract';
import { type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';
import { refusalIn } from './faults.ts';
import { problemOf } from './idempotency.ts';

/** The nearest error code of tRPC; each stands for the same HTTP status, if it has one. */
const codes: Readonly<Record<RefusalName, TRPCError['code']>> = {
  BadRequest: 'BAD_REQUEST',
  NotAuthenticated: 'UNAUTHORIZED',
  Forbidden: 'FORBIDDEN',
  NotFound: 'NOT_FOUND',
  MethodNotAllowed: 'METHOD_NOT_SUPPORTED',
  Conflict: 'CONFLICT',
  PreconditionFailed: 'PRECONDITION_FAILED',
  PayloadTooLarge: 'PAYLOAD_TOO_LARGE',
  UriTooLong: 'BAD_REQUEST',
  UnsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  Unprocessable: 'UNPROCESSABLE_CONTENT',
  TooManyRequests: 'TOO_MANY_REQUESTS',
  GeneralError: 'INTERNAL_SERVER_ERROR',
  Unavailable: 'SERVICE_UNAVAILABLE',
};

const names = new Map(Object.entries(codes).map(([name, code]) => [code, name as RefusalName]));
// Of the two names with this code, the one that is not about the URL.
names.set('BAD_REQUEST', 'BadRequest');
names.set('PARSE_ERROR', 'BadRequest');

/** The same error on both sides of tRPC: with its code there, and with all that the caller learns in `data.problem`. */
export function trpcErrorOf(error: unknown): TRPCError {
  const refused = refusalIn(error);
  return new TRPCError({ code: codes[refused?.name ?? 'GeneralError'], cause: refused ?? error });
}

export function formatError({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }) {
  const problem = problemIn(error);
  const { stack: _, ...data } = shape.data;
  return { ...shape, message: problem.message, data: { ...data, problem } } satisfies TrpcError;
}

/** Errors of tRPC itself, such as an unknown procedure, are refusals too. The message of a fault is only logged. */
function problemIn({ code, message, cause }: TRPCError): Problem {
  const refused = refusalIn(cause);
  if (refused) return problemOf(refused);
  const name = names.get(code) ?? 'GeneralError';
  return problemOf(
    new Refused({ name, message: name === 'GeneralError' ? 'Something went wrong.' : message }),
  );
}
