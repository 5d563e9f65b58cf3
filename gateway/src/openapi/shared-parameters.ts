import { pageLimits } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';

const texts: oas31.SchemaObject = {
  type: 'object',
  // A text or several texts.
  additionalProperties: { type: ['string', 'array'], items: {} },
};

/** Parameters that mean the same wherever they appear. */
export const sharedParameters = {
  limit: {
    name: '$limit',
    in: 'query',
    description: `Page size, at most ${pageLimits.max}; larger values count as ${pageLimits.max}. With 0 only the total is returned.`,
    schema: { type: 'integer', minimum: 0, default: pageLimits.default },
  },
  skip: {
    name: '$skip',
    in: 'query',
    description: 'Number of records to skip.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  after: {
    name: '$after',
    in: 'query',
    description:
      'Reads a long list page by page: leave it empty for the first page, then send `next` of the previous page, until `next` is null. Keep the other parameters; `$sort` must not change, and `total` is that of the first page. Records that exist throughout are returned exactly once, even while others are added and removed, and no page takes longer than the first.',
    schema: { type: 'string' },
    allowEmptyValue: true,
  },
  filters: {
    name: 'filters',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      'Conditions that have no parameter of their own, each sent as a separate parameter: alternatives such as `$or[0][name]=a&$or[1][rank]=2`, and any operator on any field. The name `filters` itself is not sent.',
    schema: texts,
    example: { 'id[$ne]': '100' },
  },
  conditions: {
    name: 'conditions',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      'Conditions that the record must meet, written as in a list: `status=read`, `rank[$gt]=2`. If it does not meet them, the response is 404. The name `conditions` itself is not sent.',
    schema: texts,
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the record as it was read without `$select`. If the record has changed since then, nothing is done and the response is 412. Several ETags are separated by commas; `*` stands for any.',
    schema: { type: 'string' },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The ETag of an earlier response to the same request. If the response would be the same, it is 304 without a body. Several ETags are separated by commas; `*` stands for any.',
    schema: { type: 'string' },
  },
  dryRun: {
    name: 'dry_run',
    in: 'query',
    description:
      'With `true`, the request is checked and answered as usual, but nothing is stored: no change, no event, and no response for its Idempotency-Key. The id of a record that would be added is not reserved.',
    schema: { type: 'boolean', default: false },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique value of your choice. The same request, sent again with this key within 24 hours, returns the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict`, anything that would be ignored, such as a misspelled field, is an error. With `return=minimal`, the response to a change has no body: 204, or 201 with `Location`.',
    schema: { type: 'string' },
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id for this request; it appears in the response and in our logs.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

export const shared = (name: keyof typeof sharedParameters): oas31.ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});
