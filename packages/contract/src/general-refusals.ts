import { grouped, requestLimits } from './limits.ts';
import { type Refused, refusal } from './refusal.ts';

// Errors that operations of any resource may return. Those of a single resource are declared in its contract.

export const tokenMissing = refusal('NotAuthenticated', 'No access token', {
  reason: 'token_missing',
  when: 'The request has no access token in its `Authorization` header.',
  fix: 'Create a token in your account, and send it as `Authorization: Bearer <token>`.',
  example: 'GET /me',
  given: 'the request has no `Authorization` header',
});

export const tokenInvalid = refusal('NotAuthenticated', 'Invalid access token', {
  reason: 'token_invalid',
  when: 'The access token is misspelled, has expired or was revoked, or its account was disabled.',
  fix: 'Obtain a new token: with the refresh token of the application, or in your account.',
  example: 'GET /me\nAuthorization: Bearer 0123456789abcdef0123456789abcdef01234567',
});

export const scopeMissing = refusal('Forbidden', 'The access token does not have the scope.', {
  reason: 'scope_missing',
  when: 'The access token has only the scope `read`, but the operation needs `write`, as all except GET do.',
  fix: 'Ask the user for the scope that `errors.scope` names, or create a token with it.',
  example: 'POST /contacts\n\n{ "first_name": "Grace" }',
  given: 'the token has only the scope `read`',
});

export const forbidden = refusal('Forbidden', 'You may not do this.', {
  reason: 'not_allowed',
  when: 'You can see the record but are not allowed to change it.',
  fix: 'Ask the owner of the record, or the broker, whose settings determine what sub-accounts may do.',
  example: 'PATCH /hotnesses/4001\n\n{ "name": "Hotter" }',
  given: 'the hotness belongs to your broker',
});

/** For operations that only users themselves may perform, because these concern their account or commit them to others. */
export const onlyInPerson = refusal(
  'Forbidden',
  'Only the user can do this, with an access token of their own; a broker who acts for them cannot.',
  {
    reason: 'only_in_person',
    when: 'A broker acts with the access token of a sub-account, but the request concerns the account itself.',
    fix: 'Have the user do it with a token of their own.',
    example: 'PATCH /me\n\n{ "first_name": "Grace" }',
    given: 'the token is the one that the broker has for the sub-account',
  },
);

export const outsideThePeople = refusal(
  'Forbidden',
  "A broker who acts for a user can share records with, and assign them to, only the user and the user's teammates.",
  {
    reason: 'outside_of_team',
    when: 'A broker who acts with the access token of a sub-account shares a record with, or assigns it to, somebody else.',
    fix: 'Name the user or a teammate of the user.',
    example: 'POST /contacts\n\n{ "first_name": "Grace", "assigned_user_id": 4002 }',
    given: 'user 4002 is in no team with the sub-account',
  },
);

export const notFound = refusal('NotFound', 'No record found.', {
  reason: 'record_not_found',
  when: 'There is no such record, or you cannot see it, or it does not meet the conditions of the request.',
  fix: 'Look for the record in its list, which shows what you can see.',
  example: 'GET /contacts/2147483647',
});

/** The error for a record that does not exist, and for one that the caller may not see: the two must be indistinguishable. */
export const noRecord = (id: unknown): Refused => notFound({ message: `No record found for id '${id}'` });

export const pathNotFound = refusal('NotFound', 'Page not found', {
  reason: 'path_not_found',
  when: 'No operation has this path.',
  fix: 'Compare the path with the reference: names of lists are plural, with a dash between words. `details` suggests a similar path if there is one.',
  example: 'GET /contact',
});

export const unknownProcedure = refusal('NotFound', 'Unknown procedure.', {
  reason: 'unknown_procedure',
  when: 'A program called a procedure that the service does not have.',
  fix: 'Use the contract of the version that runs.',
  example: 'POST /trpc/contacts.fetch\n\n{}',
  given: 'it is sent to a service',
});

export const methodNotAllowed = refusal(
  'MethodNotAllowed',
  'This method is not supported by this endpoint.',
  {
    reason: 'method_not_allowed',
    when: 'The path exists, but it does not support this method.',
    fix: 'Use one of the methods in the header `Allow` of the response.',
    example: 'DELETE /me',
  },
);

export const stillRunning = refusal(
  'Conflict',
  'The first request with this Idempotency-Key is still running.',
  {
    reason: 'first_request_running',
    when: 'A request was repeated with its Idempotency-Key before the first one had finished.',
    fix: 'Send it again after the number of seconds in `Retry-After`. You then receive the response to the first one.',
    example: 'POST /contacts\nIdempotency-Key: 6a1f\n\n{ "first_name": "Grace" }',
    given: 'the same request is running',
  },
);

export const preconditionFailed = refusal(
  'PreconditionFailed',
  'The record has changed since it was read, or was read with $select. Read it again without $select, and send the change with the ETag of that response.',
  {
    reason: 'record_changed',
    when: 'The ETag of the record does not match `If-Match`. A response with `$select` has another ETag.',
    fix: 'Read the record again without `$select`, and repeat the change with its new ETag.',
    example: 'PATCH /contacts/4001\nIf-Match: "tJ1WQ8Zf9Jm0x2LQm1xO3g"\n\n{ "first_name": "Grace" }',
    given: 'somebody has changed the contact since',
  },
);

const { bodyMiB, webBodyKiB, queryCharacters, headersKB } = requestLimits;

export const bodyTooLarge = refusal('PayloadTooLarge', `The body is larger than ${bodyMiB} MiB.`, {
  reason: 'body_too_large',
  when: `The body has more than ${bodyMiB} MiB, or more than ${webBodyKiB} KiB at \`/oauth2\` and \`/callbacks\`.`,
  fix: 'Send several smaller requests.',
  example: 'POST /tasks\n\n{ "notes": "…" }',
  given: 'the notes are longer than a million characters',
});

export const urlTooLong = refusal('UriTooLong', 'The URL is too long.', {
  reason: 'url_too_long',
  when: `The query has more than ${grouped(queryCharacters)} characters, or the headers more than ${headersKB} KB.`,
  fix: 'Send fewer ids or conditions in one request.',
  example: 'GET /contacts?id[$in]=4001,…',
  given: 'thousands of ids follow',
});

export const unsupportedMediaType = refusal(
  'UnsupportedMediaType',
  'The body must be uncompressed and sent as application/json or application/x-www-form-urlencoded.',
  {
    reason: 'unsupported_media_type',
    when: 'The body is neither JSON nor a form, or it is compressed.',
    fix: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
    example: 'POST /contacts\nContent-Type: text/plain\n\n{ "first_name": "Grace" }',
  },
);

export const keyReused = refusal('Unprocessable', 'This Idempotency-Key was used with a different request.', {
  reason: 'idempotency_key_reused',
  when: 'The Idempotency-Key was already used for a different request in the last 24 hours.',
  fix: 'Use a new key for each request, and the same key only to repeat it.',
  example: 'POST /contacts\nIdempotency-Key: 6a1f\n\n{ "first_name": "Grace" }',
  given: 'the key was used to create another contact',
});
