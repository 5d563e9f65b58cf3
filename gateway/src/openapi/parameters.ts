import { fieldKinds, hasDryRun, listingOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { z } from 'zod';
import type { InputFields } from '../input-fields.ts';
import type { RecordPlace } from '../record-routes.ts';
import type { Route } from '../routes.ts';
import { tidy } from './json-schema.ts';
import { shared } from './shared-parameters.ts';

type Parameter = oas31.ParameterObject | oas31.ReferenceObject;

export function parametersOf(
  { method, operation }: Route,
  place: RecordPlace | undefined,
  fields: InputFields,
): Parameter[] {
  const listing = listingOf(operation.input);
  const own = listing ? ownOf(listing.own) : fields;
  const path = fields.path.map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      schema: tidy(own.schemas[name] ?? { type: 'integer' }),
    }),
  );
  const names = listing
    ? Object.keys(own.schemas).filter((name) => !fields.path.includes(name))
    : fields.query;
  const query = names.map((name) => queryParameter(name, own));
  const language = listing
    ? listParameters(listing.view, listing.load, own.schemas)
    : recordParameters(operation, fields);
  const tried = hasDryRun(operation) ? [shared('dryRun')] : [];
  const keyed = method !== 'GET' ? [shared('idempotencyKey')] : [];
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

type Own = Pick<InputFields, 'schemas' | 'required'>;

function ownOf(own: z.ZodObject): Own {
  const { properties = {}, required } = z.toJSONSchema(own, { io: 'input', unrepresentable: 'any' });
  return { schemas: properties as Own['schemas'], required: new Set(required) };
}

function queryParameter(name: string, { schemas, required }: Own): Parameter {
  const { description, ...schema } = tidy(schemas[name] ?? {});
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(required.has(name) && { required: true }),
    schema,
  };
}

function listParameters(view: z.ZodObject, load: readonly string[], own: Own['schemas']): Parameter[] {
  const { kinds, choices } = fieldKinds(view);
  const filters = [...kinds].filter(([name]) => !Object.hasOwn(own, name));
  return [
    ...filters.map(([name, kind]) => equality(name, kind, choices.get(name))),
    shared('filters'),
    sortParameter([...kinds.keys()]),
    shared('limit'),
    shared('skip'),
    namesParameter('$select', 'Fields to return; all by default.', Object.keys(view.shape)),
    ...(load.length > 0 ? [namesParameter('$load', 'Related records to include.', load)] : []),
  ];
}

const formats: Readonly<Record<string, string>> = { instant: 'date-time', localTime: 'date-time-local' };

function equality(name: string, kind: string, choices: readonly string[] | undefined): Parameter {
  const items: oas31.SchemaObject = formats[kind]
    ? { type: 'string', format: formats[kind] }
    : { type: kind === 'text' ? 'string' : (kind as 'integer'), ...(choices && { enum: [...choices] }) };
  const description = `Matches records with this ${name}; repeat it to match any of several values.`;
  return { name, in: 'query', style: 'form', explode: true, description, schema: { type: 'array', items } };
}

function sortParameter(names: readonly string[]): Parameter {
  const direction: oas31.SchemaObject = { type: 'integer', enum: [1, -1] };
  return {
    name: '$sort',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description:
      'Sort order, such as `$sort[id]=-1`: 1 is ascending, -1 descending; several apply in the given order.',
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, direction])) },
  };
}

function namesParameter(name: string, description: string, names: readonly string[]): Parameter {
  const schema: oas31.SchemaObject = { type: 'array', items: { type: 'string', enum: [...names] } };
  return { name, in: 'query', style: 'form', explode: false, description, schema };
}

function recordParameters({ output }: Route['operation'], { conditions, select }: InputFields): Parameter[] {
  const names = output instanceof z.ZodObject ? Object.keys(output.shape) : [];
  return [
    ...(conditions ? [shared('conditions')] : []),
    ...(select ? [namesParameter('$select', 'Fields to return; all by default.', names)] : []),
  ];
}
