/** What a client developer should know before the first request. Markdown. */
export const introduction = `
A customer-relationship-management back end for real-estate agents, brokers and teams.

## Authentication

Send an access token with every request, in the header \`Authorization: Bearer <token>\`; a token in the URL is
refused. A token carries scopes: \`read\` is enough for GET, everything else needs \`write\`. Without a valid token the
answer is 401. A record that you may not see is answered like one that does not exist, with 404.

## Requests and answers

Bodies are JSON objects in UTF-8, sent as \`application/json\`, of at most 1 MiB. POST on a collection creates and is
answered with 201 and the whole record; PATCH changes the fields it names and leaves the others; DELETE answers the
record as it was. In a PATCH, an absent field stays as it is and \`null\` clears it. Moments are ISO 8601 in UTC with
milliseconds. Numbers and booleans may also be sent as text. The query
parameters that the document names for a PATCH or a DELETE may come in its body instead, other than those with
\`$\`; what the body says counts.

Unknown fields of a body are ignored, so that a record can be sent back as it came. To have them refused instead, send
\`Prefer: handling=strict\`. Unknown query parameters of a list are always refused, because ignoring a filter would
answer another question than the one asked.

## Lists

A list is answered as \`{ "total", "limit", "skip", "data" }\`. \`$limit\` is 10 unless given and at most 1000; \`$skip\`
passes over records; \`$limit=0\` only counts.

| Parameter | Meaning |
|---|---|
| \`name=Cold\` | equal; repeated, one of the values |
| \`name[$ne]=Cold\` | different |
| \`id[$in]=1&id[$in]=2\`, \`id[$nin]=3\` | one of, none of |
| \`rank[$lt]=3\`, \`[$lte]\`, \`[$gt]\`, \`[$gte]\` | less, at most, greater, at least |
| \`name[$like]=%col%\` | contains, in capital or small letters; \`%\` is sent as \`%25\` |
| \`$or[0][name]=a&$or[1][rank]=2\` | one of the groups |
| \`$sort[rank]=-1\` | descending; \`1\` is ascending |
| \`$select=id,name\` | these fields alone |
| \`$load=template\` | related records as well, where a list offers it |

On one record the same conditions can be given: the answer is 404 where the record does not meet them.

## Errors

Every error has the same body: \`{ "name", "message", "code", "className", "errors", "request_id" }\`. \`name\` and
\`code\` are for programs, \`message\` is for people, and \`errors\` has a text for each field that is wrong. With
\`Accept: application/problem+json\` the same facts come as RFC 9457 has them. Where \`Retry-After\` is sent, the same
request may succeed after that many seconds.

## Sending a request twice

A POST may carry an \`Idempotency-Key\`, a text unique to it. Sent again with the same body within 24 hours, it does
nothing and gets the first answer with \`Idempotency-Replayed: true\`. With another body the answer is 422, and 409 while
the first request is still running.

## Request ids

Each answer has an \`X-Request-Id\`, the one you sent or a new one. Name it when you ask for help.
`.trim();
