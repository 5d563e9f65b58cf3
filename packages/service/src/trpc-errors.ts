import {
  bodyTooLarge,
  fault,
  malformedRequest,
  methodNotAllowed,
  type Problem,
  problemOf,
  type Refusal,
  type RefusalName,
  type TrpcError,
  unknownProcedure,
  unsupportedMediaType,
} from '@crm/contract';
import { type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';
import { refusalIn } from './classify-error.ts';

/** The nearest error code of tRPC, with the same HTTP status if there is one. */
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

/** What tRPC itself refuses. Every other error of its own is a fault. */
const refusals: Readonly<Partial<Record<TRPCError['code'], Refusal>>> = {
  BAD_REQUEST: malformedRequest,
  PARSE_ERROR: malformedRequest,
  NOT_FOUND: unknownProcedure,
  METHOD_NOT_SUPPORTED: methodNotAllowed,
  PAYLOAD_TOO_LARGE: bodyTooLarge,
  UNSUPPORTED_MEDIA_TYPE: unsupportedMediaType,
};

/** An error as both sides of tRPC know it: with its code there, and with all that the caller learns in `data.problem`. */
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
  return problemOf(refusals[code]?.({ message }) ?? fault());
}
