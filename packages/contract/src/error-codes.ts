import type { FieldReason } from './field-error.ts';
import {
  bodyTooLarge,
  forbidden,
  keyReused,
  methodNotAllowed,
  notFound,
  onlyInPerson,
  outsideThePeople,
  pathNotFound,
  preconditionFailed,
  scopeMissing,
  stillRunning,
  tokenInvalid,
  tokenMissing,
  unknownProcedure,
  unsupportedMediaType,
  urlTooLong,
} from './general-refusals.ts';
import type { ErrorEntry, RefusalName } from './refusal.ts';
import {
  fault,
  malformedBody,
  malformedRequest,
  malformedUrl,
  rateLimited,
  tooManyAtOnce,
  tooSlow,
  unavailable,
} from './request-refusals.ts';

/** One entry of the guide about error codes. */
export interface ErrorCode extends ErrorEntry {
  readonly reason: string;
  readonly refusal: RefusalName;
  /** Omitted if each field has its own message. */
  readonly message?: string;
}

/** What the reason of an invalid field means. */
const ofFields: Readonly<Record<FieldReason, ErrorEntry>> = {
  required: {
    when: 'A field or parameter is missing.',
    fix: 'Send each field that `errors` names. The reference marks those that are required.',
    example: 'POST /tags\n\n{}',
  },
  wrong_type: {
    when: 'A value is of another type, such as a list where one value is expected.',
    fix: 'Send the type named in the message.',
    example: 'POST /contacts\n\n{ "first_name": ["Grace"] }',
  },
  not_an_option: {
    when: 'A value is not among the few that the field may have. Case matters.',
    fix: 'Send one of `details.<field>.valid_options`; `did_you_mean` is the one closest to yours.',
    example: 'GET /leads?status=claimed',
  },
  too_long: {
    when: 'A text has too many characters, or a list too many entries.',
    fix: 'Shorten it to the limit in the message.',
    example: 'POST /hotnesses\n\n{ "name": "Somebody who would like to buy as soon as possible" }',
  },
  out_of_range: {
    when: 'A number is too large or too small.',
    fix: 'Send a number within the limit in the message.',
    example: 'POST /hotnesses\n\n{ "rank": 3000000000 }',
  },
  unknown_name: {
    when: 'A field, parameter or operator does not exist. Parameters and operators of lists are always checked.',
    fix: 'Use `details.<field>.did_you_mean`, or one of the fields in the reference.',
    example: 'GET /contacts?fist_name=Grace',
  },
  unknown_record: {
    when: 'A field refers to a record that does not exist or that you cannot see.',
    fix: 'Look for the record in its list, and send its `id`.',
    example: 'POST /contacts\n\n{ "hotness_id": 2147483647 }',
  },
  invalid_value: {
    when: 'A value is malformed or conflicts with other fields.',
    fix: 'Send what the message asks for.',
    example: 'POST /hotnesses\n\n{ "color": "red" }',
  },
};

/** The errors that any resource may return. */
export const generalErrorCodes: readonly ErrorCode[] = [
  ...Object.entries(ofFields).map(([reason, entry]) => ({
    reason,
    refusal: 'BadRequest' as const,
    ...entry,
  })),
  malformedBody,
  malformedUrl,
  malformedRequest,
  rateLimited,
  tooManyAtOnce,
  fault,
  unavailable,
  tooSlow,
  tokenMissing,
  tokenInvalid,
  scopeMissing,
  forbidden,
  onlyInPerson,
  outsideThePeople,
  notFound,
  pathNotFound,
  unknownProcedure,
  methodNotAllowed,
  stillRunning,
  preconditionFailed,
  bodyTooLarge,
  urlTooLong,
  unsupportedMediaType,
  keyReused,
];
