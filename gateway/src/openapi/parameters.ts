import { hasDryRun, type Listing, listingOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { z } from 'zod';
import type { InputFields } from '../input-fields.ts';
import type { RecordPlace } from '../record-place.ts';
import type { Route } from '../routes.ts';
import { sentence } from './field-meanings.ts';
import { meaningOfName } from './field-names.ts';
import type { filterParameters } from './filters.ts';
import { tidy } from './json-schema.ts';
import { singular } from './names.ts';
import { shared } from './shared-parameters.ts';

/** What is known about an operation besides its route. */
export interface Described {
  readonly place: RecordPlace | undefined;
  /** The name of its record. */
  readonly noun: string;
  readonly filters: ReturnType<typeof filterParameters>;
}

type Parameter = oas31.ParameterObject | oas31.ReferenceObject;

export function parametersOf(
  { method, operation, path: template }: Route,
  { place, noun, filters }: Described,
  fields: InputFields,
): Parameter[] {
  const listing = listingOf(operation.input);
  const own = listing ? ownOf(listing.own) : fields;
  const path = fields.path.map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      description: pathMeaning(name, template),
      schema: withoutDescription(tidy(own.schemas[name] ?? { type: 'integer' })),
    }),
  );
  const names = listing
    ? Object.keys(own.schemas).filter((name) => !fields.path.includes(name))
    : fields.query;
  const query = names.map((name) => queryParameter(name, own));
  const language = listing
    ? listParameters(listing, own.schemas, { noun, filters })
    : recordParameters(operation, fields);
  const tried = hasDryRun(operation) ? [shared('dryRun')] : [];
  const keyed = operation.kind === 'mutation' ? [shared('idempotencyKey')] : [];
  return [
    ...path,
    ...query,
    ...language,
    ...conditionsOn(place, method),
    ...tried,
    ...keyed,
    shared('prefer'),
    shared('requestId'),
  ];
}

function conditionsOn(place: RecordPlace | undefined, method: Route['method']): Parameter[] {
  if (place !== 'here') return [];
  return [shared(method === 'GET' ? 'ifNoneMatch' : 'ifMatch')];
}

const withoutDescription = ({ description: _, ...schema }: oas31.SchemaObject): oas31.SchemaObject => schema;

/** An id in a path is that of the record named by the part before it. */
function pathMeaning(name: string, template: string): string {
  const before =
    template
      .slice(0, template.indexOf(`/:${name}`))
      .split('/')
      .at(-1) ?? '';
  const record = name === 'id' ? singular(before) : name.replace(/_id$/, '');
  return `The id of the ${record.replaceAll(/[-_]/g, ' ')}.`;
}

type Own = Pick<InputFields, 'schemas' | 'required'>;

function ownOf(own: z.ZodObject): Own {
  const { properties = {}, required } = z.toJSONSchema(own, { io: 'input', unrepresentable: 'any' });
  return { schemas: properties as Own['schemas'], required: new Set(required) };
}

function queryParameter(name: string, { schemas, required }: Own): Parameter {
  const schema = tidy(schemas[name] ?? {});
  const description = schema.description ?? meaningOfName(name);
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description: sentence(description) }),
    ...(required.has(name) && { required: true }),
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema: withoutDescription(schema),
  };
}

function listParameters(
  { load, fields: { kinds, choices }, view }: Listing,
  own: Own['schemas'],
  { noun, filters }: Pick<Described, 'noun' | 'filters'>,
): Parameter[] {
  const filtered = [...kinds].filter(([name]) => !Object.hasOwn(own, name));
  return [
    ...filtered.flatMap(([name, kind]) => filters.of(noun, { name, kind, choices: choices.get(name) })),
    shared('filters'),
    sortParameter([...kinds.keys()]),
    shared('limit'),
    shared('skip'),
    shared('after'),
    namesParameter('$select', selected, Object.keys(view.shape)),
    ...(load.length > 0 ? [namesParameter('$load', 'Related records to include.', load)] : []),
  ];
}

function sortParameter(names: readonly string[]): Parameter {
  const direction: oas31.SchemaObject = { type: 'integer', enum: [1, -1] };
  return {
    name: '$sort',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description:
      'Sort order, such as `$sort[id]=-1`: 1 is ascending, -1 is descending. Several fields apply in the given order; ties are ordered by id, in the direction of the last field. Missing values come last in ascending and first in descending order.',
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, direction])) },
  };
}

const selected =
  'Fields to return in addition to the id (default: all). The response omits the others, even those that its schema requires.';

function namesParameter(name: string, description: string, names: readonly string[]): Parameter {
  const schema: oas31.SchemaObject = { type: 'array', items: { type: 'string', enum: [...names] } };
  return { name, in: 'query', style: 'form', explode: false, description, schema };
}

function recordParameters({ output }: Route['operation'], { conditions, select }: InputFields): Parameter[] {
  const names = output instanceof z.ZodObject ? Object.keys(output.shape) : [];
  return [
    ...(conditions ? [shared('conditions')] : []),
    ...(select ? [namesParameter('$select', selected, names)] : []),
  ];
}
