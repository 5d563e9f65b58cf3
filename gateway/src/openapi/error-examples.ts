import { STATUS_CODES } from 'node:http';
import { type ErrorCode, generalErrorCodes, type RefusalName, statuses } from '@crm/contract';
import { docsOf } from '../error-docs.ts';
import { classNameOf } from '../problem.ts';

/** Stands for the URL of a system, which the committed document does not know. */
export const exampleServer = 'https://crm.example.com';

/** An error as a client receives it. */
export function exampleOf(name: RefusalName, own: ErrorCode | undefined) {
  const isField = name === 'BadRequest' && own?.message === undefined;
  const reason = isField || !own ? 'invalid_value' : own.reason;
  return {
    name,
    message: isField ? 'email must be an e-mail address.' : (own?.message ?? name),
    code: statuses[name],
    className: classNameOf(name),
    reason,
    docs: `${exampleServer}${docsOf(reason)}`,
    errors: isField ? { email: 'must be an e-mail address' } : {},
    ...(isField && { details: { email: { reason } } }),
    request_id: '7c8b7959-8fbb-4b18-abd1-8db31fc06f97',
  };
}

/** The first general error with a name. */
export const generalOf = (name: RefusalName) => generalErrorCodes.find(({ refusal }) => refusal === name);

/** The same error for a client that accepts `application/problem+json` (RFC 9457). */
export function problemExampleOf(name: RefusalName, own: ErrorCode | undefined) {
  const error = exampleOf(name, own);
  return {
    type: error.docs,
    title: STATUS_CODES[error.code],
    status: error.code,
    detail: error.message,
    ...error,
  };
}
