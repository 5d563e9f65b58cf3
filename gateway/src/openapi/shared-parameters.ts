import type { oas31 } from 'openapi3-ts';

const texts: oas31.SchemaObject = { type: 'object', additionalProperties: { type: ['string', 'array'] } };

/** Parameters that mean the same wherever they appear. */
export const sharedParameters = {
  limit: {
    name: '$limit',
    in: 'query',
    description: 'Page size. A value above 1000 counts as 1000; 0 asks for the total alone.',
    schema: { type: 'integer', minimum: 0, default: 10 },
  },
  skip: {
    name: '$skip',
    in: 'query',
    description: 'Number of records to skip.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  filters: {
    name: 'filters',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      'Conditions with an operator, each a parameter of its own: `rank[$gt]=2`, `name[$like]=%smith%`, `id[$in]=1&id[$in]=2`, `$or[0][name]=a&$or[1][rank]=2`. The word `filters` itself is not sent.',
    schema: texts,
    example: { 'id[$gt]': '100' },
  },
  conditions: {
    name: 'conditions',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      'Conditions, as in the list of the resource, that the record must meet: `status=read`, `rank[$gt]=2`. The answer is 404 where it does not. The word `conditions` itself is not sent.',
    schema: texts,
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your choice, unique to this request. Sent again within 24 hours, it gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict` refuses what would otherwise be ignored, such as a misspelt field.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id for this request; the answer and our logs carry it.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

export const shared = (name: keyof typeof sharedParameters): oas31.ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});
