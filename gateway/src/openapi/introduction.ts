import { pageLimits, requestLimits } from '@crm/contract';

/** What a client developer should know before the first request. Markdown. */
export const introduction = `
A customer-relationship-management back end for real-estate agents, brokers and teams.

## The first call

Create an access token on the page of [your application](/account/applications), then ask who you are:

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" "$URL/me"
\`\`\`

## Authentication

Send an access token with every request, in the header \`Authorization: Bearer <token>\`; tokens in the URL are not
accepted. A token has scopes: \`read\` is enough for GET. Everything else needs \`write\`, as does reading sub-accounts,
because the response contains their access tokens. Without a valid token the response is 401. A record that you cannot
see is treated like one that does not exist: the response is 404.

To send requests from this page, choose \`accessToken\` and paste a token, or choose \`oauth\` and enter the client id of
[your application](/account/applications). The address of this page must be one of its redirect URIs.

## Requests and responses

Bodies are JSON objects in UTF-8 of at most ${requestLimits.bodyMiB} MiB, sent as \`application/json\`. POST on a collection creates a record
and returns 201 with the whole record. PATCH changes the fields it contains; an absent field stays as it is, and
\`null\` clears a field. DELETE returns the record as it was. Timestamps are ISO 8601 in UTC with milliseconds. Numbers
and booleans may also be sent as strings. Query parameters of a PATCH or DELETE, other than conditions and those with
\`$\`, may be sent in the body instead; if both are sent, the body takes precedence. The same holds for \`dry_run\` of a POST.

Unknown fields in a body are ignored, so that a record can be sent back as it was received. To reject them instead, send
\`Prefer: handling=strict\`. Unknown query parameters are always an error, except in a POST, because ignoring a condition
would return or change records that you did not ask for.

## Lists

The response of a list is \`{ "total", "limit", "skip", "data" }\`. \`$limit\` is ${pageLimits.default} by default and at most ${pageLimits.max};
\`$skip\` skips records; \`$limit=0\` returns only the total. To read all of a long list, send \`$after=\` with the first
request: the response has \`next\`, which you send as \`$after\` with the next request, and which is null at the end.

| Parameter | Meaning |
|---|---|
| \`name=Cold\` | equal; if repeated, equal to any of the values |
| \`name[$ne]=Cold\` | not equal |
| \`id[$in]=1&id[$in]=2\`, \`id[$nin]=3\` | one of, none of |
| \`rank[$lt]=3\`, \`[$lte]\`, \`[$gt]\`, \`[$gte]\` | less, at most, greater, at least |
| \`name[$like]=%col%\` | contains, ignoring case; \`%\` is sent as \`%25\`; at most 5 in one request |
| \`$or[0][name]=a&$or[1][rank]=2\` | at least one of the groups |
| \`$sort[rank]=-1\` | descending; \`1\` is ascending; missing values come last, or first with \`-1\`; ties are ordered by id in the same direction |
| \`$select=id,name\` | only these fields |
| \`$load=template\` | includes related records, where a list supports it |

The same conditions can be sent with an operation on one record; if the record does not meet them, the response is 404.
Operations without \`$select\` do not support conditions.

## Errors

Every error has the same body: \`{ "name", "message", "code", "className", "reason", "docs", "errors", "request_id" }\`.
\`name\`, \`code\` and \`reason\` are for programs, \`message\` is for people, \`docs\` links to [how to fix it](/guides/error-codes),
and \`errors\` has a message for each invalid field, with \`valid_options\` and \`did_you_mean\` in \`details\`. With
\`Accept: application/problem+json\` errors have the format of RFC 9457. If a response has \`Retry-After\`, the same
request may succeed after that many seconds.

## Limits

Requests are counted for each access token, account and address. \`RateLimit-Policy\` shows how many are accepted within a
minute, and \`RateLimit\` how many are left (\`r\`) and after how many seconds they are restored (\`t\`). Beyond the limit
the response is 429 with \`Retry-After\`, and nothing is done.

A read that takes longer than a second is stopped: the response is 503, and its message explains how to narrow the
request. Only a few requests of a user run at the same time; the others wait, and if too many are waiting, or one
waits for seconds, the response is 429.

## Retrying safely

A POST, PATCH or DELETE that changes something can have an \`Idempotency-Key\` header with a unique value. If the same
request is sent again with that key within 24 hours, nothing is done and the first response is returned with
\`Idempotency-Replayed: true\`. If the body differs, the response is 422; while the first request is still running, it is
409. The few POSTs that only read, such as \`POST /lead-routes/simulate\`, ignore the header.

## Preventing lost updates

Every response that contains a single record has an \`ETag\`. Send it as \`If-Match\` with a PATCH or DELETE: if the record
has changed since then, nothing is done and the response is 412. Send it as \`If-None-Match\` with a GET: if nothing has
changed, the response is 304 without a body.

With \`Prefer: return=minimal\` the response to a change has no body: 204, or 201 with \`Location\`. With the parameter
\`dry_run=true\` a change is checked and answered as usual, but nothing is stored.

## Request ids

Every response has an \`X-Request-Id\`, either the one you sent or a new one. Include it when you contact support.
`.trim();
