import { grouped, requestLimits } from './limits.ts';
import { refusal } from './refusal.ts';

// Errors about the form and size of requests, for any operation.

export const malformedBody = refusal('BadRequest', 'The body is not valid JSON.', {
  reason: 'malformed_body',
  when: 'A POST has no body, or the body is not valid JSON in UTF-8, is nested too deeply, or is not an object.',
  fix: 'Send one JSON object in UTF-8, as `JSON.stringify` writes it.',
  example: 'POST /contacts\n\n{ "first_name": "Grace"',
  given: 'the body ends too early',
});

export const malformedUrl = refusal('BadRequest', 'The URL is malformed.', {
  reason: 'malformed_url',
  when: 'The path or the query cannot be decoded, is nested too deeply, or has too many parameters.',
  fix: `Encode names and values with \`encodeURIComponent\`, and use at most ${grouped(requestLimits.parameters)} parameters.`,
  example: 'GET /contacts?a[b][c][d][e][f][g][h]=1',
});

export const malformedRequest = refusal('BadRequest', 'The request could not be read.', {
  reason: 'malformed_request',
  when: 'The request is not valid HTTP, ended early, or took too long to arrive.',
  fix: 'Send it again, with an up-to-date HTTP client.',
  example: 'POST /contacts',
  given: 'the connection breaks while the body is sent',
});

export const rateLimited = refusal('TooManyRequests', 'Too many requests.', {
  reason: 'rate_limited',
  when: 'The client address, the access token or its account has used up the requests of this minute.',
  fix: 'Wait the number of seconds in `Retry-After`. `RateLimit` in each response shows how many requests are left.',
  example: 'GET /me',
  given: 'it was sent thousands of times within a minute',
});

export const tooManyAtOnce = refusal(
  'TooManyRequests',
  'Too many of your requests are waiting. Send fewer at the same time.',
  {
    reason: 'too_many_at_once',
    when: 'A request has waited for four seconds for others of the same user, more than a hundred of them are waiting for the database, or more than a hundred requests on one connection are waiting for an earlier one.',
    fix: 'Send at most four requests concurrently.',
    example: 'GET /contacts',
    given: 'many slow requests of the user are running',
  },
);

export const fault = refusal('GeneralError', 'Something went wrong.', {
  reason: 'fault',
  when: 'An unexpected error occurred. The request was rolled back, and the error was logged.',
  fix: 'Report the `request_id` to the operator.',
  example: 'GET /contacts',
  given: 'there is a bug in the code',
});

export const unavailable = refusal('Unavailable', 'The service is temporarily unavailable.', {
  reason: 'unavailable',
  when: 'A part of the system is restarting or overloaded.',
  fix: 'Send the same request again after `Retry-After`. A change may have been made although its response is missing: with an Idempotency-Key it is made only once; without one, read first.',
  example: 'GET /contacts',
  given: 'the database is restarting',
});

export const tooSlow = refusal(
  'Unavailable',
  'Reading took longer than 1 second and was stopped. Ask for less: use fewer conditions with $like or $or, add one that selects fewer records, or lower $limit.',
  {
    reason: 'too_slow',
    when: 'Evaluating the conditions of a list took longer than a second.',
    fix: 'Add a condition that selects fewer records, such as a range of `created_at`, or lower `$limit`.',
    example: 'GET /contacts?company[$like]=%25a%25',
    given: 'there are millions of contacts',
  },
);
