import type { z } from 'zod';
import { nearest, suggestion } from './nearest.ts';

/** What is wrong with a field, as a code for programs. */
export type FieldReason =
  | 'required'
  | 'wrong_type'
  | 'not_an_option'
  | 'too_long'
  | 'out_of_range'
  | 'unknown_name'
  | 'unknown_record'
  | 'invalid_value';

/** Details about an invalid field for programs, beyond the message. */
export interface FieldDetail {
  readonly reason: FieldReason;
  /** The valid values, if there are only a few. */
  readonly valid_options?: readonly string[];
  /** The valid option that is closest to what was sent. */
  readonly did_you_mean?: string;
}

/** The message is a sentence, or continues after the name of the field. */
export interface FieldError extends FieldDetail {
  readonly message: string;
}

/** A plain string is the error of an invalid value. */
export type FieldErrors = Readonly<Record<string, string | FieldError>>;

export const required: FieldError = { message: 'is required', reason: 'required' };

/** The error of a reference to a record that does not exist or that the caller cannot see: the two must be indistinguishable. */
export const unknownRecord = (id: unknown): FieldError => ({
  message: `'${id}' does not exist`,
  reason: 'unknown_record',
});

export const mustBeOneOf = (options: readonly unknown[]): string =>
  `must be one of ${options.map(String).join(', ')}`;

/** The error of a user with whom the caller shares no team. It is the same if the user does not exist. */
export const notInYourTeams = (id: unknown): string => `'${id}' is not a user of your teams`;

/** The error of a value outside a closed set of words. */
export const notAnOption = (sent: unknown, options: readonly string[]): FieldError => ({
  message: mustBeOneOf(options),
  reason: 'not_an_option',
  ...choices(sent, options),
});

/** The error of a field that cannot be written, with the name that was probably meant. */
export const notWritable = (name: string, writable: readonly string[]): FieldError => ({
  message: `Field "${name}" cannot be written.${suggestion(name, writable)}`,
  reason: 'unknown_name',
  ...(writable.length > 0 && choices(name, writable)),
});

/** `Unknown field "nmae". Did you mean "name"?` */
export function unknown(what: string, name: string, known: readonly string[]): FieldError {
  return {
    message: `Unknown ${what} "${name.slice(0, 64)}".${suggestion(name, known)}`,
    reason: 'unknown_name',
    ...(known.length > 0 && choices(name, known)),
  };
}

/** Nobody reads a longer list. */
const maxOptions = 25;

/** The valid options if there are only a few, and the one that was probably meant. */
function choices(sent: unknown, options: readonly string[]): Omit<FieldDetail, 'reason'> {
  const did_you_mean = typeof sent === 'string' ? nearest(sent, options) : undefined;
  return {
    ...(options.length <= maxOptions && { valid_options: options }),
    ...(did_you_mean !== undefined && { did_you_mean }),
  };
}

/** The first error as a sentence: `rank must be a whole number (and 2 more).` */
export function sentenceOf(fields: readonly (readonly [field: string, error: FieldError])[]): string {
  const [first = 'The request is not valid', ...others] = fields.map(([field, { message }]) =>
    /^[A-Z]/.test(message) ? message : `${field} ${message}`,
  );
  if (others.length > 0) return `${first.replace(/[.]$/, '')} (and ${others.length} more).`;
  return /[.?]$/.test(first) ? first : `${first}.`;
}

/** The error for what a schema found wrong in the `input`. */
export function fieldErrorOf(issue: z.core.$ZodIssue, input: unknown): FieldError {
  const { message } = issue;
  if (issue.code === 'custom' && issue.params) return { message, ...(issue.params as FieldDetail) };
  const sent = issue.path.reduce(
    (value: unknown, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    input,
  );
  if (sent === undefined) return { message, reason: 'required' };
  switch (issue.code) {
    case 'invalid_type':
      return { message, reason: 'wrong_type' };
    case 'invalid_value':
      return { message, reason: 'not_an_option', ...choices(sent, issue.values.map(String)) };
    case 'too_big':
      return { message, reason: isSized(issue.origin) ? 'too_long' : 'out_of_range' };
    case 'too_small':
      return { message, reason: isSized(issue.origin) ? 'invalid_value' : 'out_of_range' };
    case 'unrecognized_keys':
      return { message, reason: 'unknown_name' };
    default:
      return { message, reason: 'invalid_value' };
  }
}

const isSized = (origin: string) => ['string', 'array', 'set', 'map', 'file'].includes(origin);

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be a date and time such as 2026-03-01T09:00:00Z',
  date: 'must be a date such as 2026-03-01',
};

/** Messages for issues without one of their own in the schema, so that no message of zod reaches a client. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return required.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return mustBeOneOf(issue.values);
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong format';
    case 'too_big':
      return isSized(issue.origin)
        ? `must have at most ${issue.maximum} ${unitOf(issue.origin)}`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      return isSized(issue.origin)
        ? `must have at least ${issue.minimum} ${unitOf(issue.origin)}`
        : `must be at least ${issue.minimum}`;
    case 'unrecognized_keys':
      return `must not contain ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
};

const unitOf = (origin: string) => (origin === 'string' ? 'characters' : 'entries');
