import { isForPrograms, scopeOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { OpenApiBuilder } from 'openapi3-ts/oas31';
import { type InputFields, inputFieldsOf } from '../input-fields.ts';
import { recordPlaces } from '../record-place.ts';
import type { Route } from '../routes.ts';
import { answersOf } from './answers.ts';
import { descriptionOf } from './descriptions.ts';
import { exampleServer } from './error-examples.ts';
import { errorComponents } from './errors.ts';
import { exampleFor, examplesOf } from './examples.ts';
import { withMeanings } from './field-meanings.ts';
import { filterParameters } from './filters.ts';
import { introduction } from './introduction.ts';
import { tidy } from './json-schema.ts';
import { type ResourceNames, resourceNames, templateOf, verbOf } from './names.ts';
import { type Described, parametersOf } from './parameters.ts';
import { addCodeSamples } from './sample-requests.ts';
import { sharedParameters } from './shared-parameters.ts';
import { uploadBody } from './upload-body.ts';
import { type Views, viewsOf } from './views.ts';
import { webOperation } from './web-operation.ts';

/** The OpenAPI 3.1 document, generated from the contracts alone. Its code samples call `server`. */
export function openApiDocument(all: readonly Route[], server = exampleServer): oas31.OpenAPIObject {
  const routes = all.filter(({ operation }) => isForPrograms(operation));
  const namesOf = resourceNames(routes);
  const placeOf = recordPlaces(routes);
  const filters = filterParameters();
  const requests = new Map<string, unknown>();
  const views = viewsOf(
    routes.filter(({ operation }) => !operation.web),
    namesOf,
  );
  const builder = emptyDocument();
  for (const [name, group] of Map.groupBy(routes, (route) => namesOf(route).tag)) {
    builder.addTag({ name, description: overviewOf(group) });
  }
  for (const [path, item] of pathItems(routes, (route) =>
    operationOf(route, { ...namesOf(route), place: placeOf(route), filters, requests }, views, builder),
  )) {
    builder.addPath(path, item);
  }
  for (const [name, schema] of Object.entries({ ...views.components, ...errorComponents.schemas })) {
    builder.addSchema(name, schema);
  }
  const schemas = schemasOf(builder);
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withMeanings(schema);
  addExamples(builder, requests);
  for (const [name, answer] of Object.entries(errorComponents.responses)) builder.addResponse(name, answer);
  for (const [name, header] of Object.entries(errorComponents.headers)) builder.addHeader(name, header);
  for (const [name, parameter] of Object.entries({ ...sharedParameters, ...filters.components }))
    builder.addParameter(name, parameter);
  addCodeSamples(builder.rootDoc, routes, server);
  return builder.getSpec();
}

/** The operations of a resource, one per line. */
const overviewOf = (routes: readonly Route[]): string =>
  routes
    .map(({ method, path, operation }) => `- \`${method} ${templateOf(path)}\`: ${operation.summary}.`)
    .join('\n');

function emptyDocument(): OpenApiBuilder {
  const builder = OpenApiBuilder.create()
    .addInfo({
      title: 'CRM API',
      version: '2',
      description: introduction,
      contact: { name: 'The operator of this server' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    })
    .addServer({ url: '/', description: 'This server' })
    .addSecurityScheme('accessToken', {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token, obtained with OAuth or on the page of an application.',
    })
    .addSecurityScheme('oauth', oauth);
  // Each operation has its own requirement; the reference page offers what the document itself lists.
  builder.rootDoc.security = [{ accessToken: [] }, { oauth: [] }];
  return builder;
}

/** How applications obtain an access token, with the paths of the OAuth operations. */
const oauth = {
  type: 'oauth2',
  description: 'The token of a user who allows an application to act for them.',
  flows: {
    authorizationCode: {
      authorizationUrl: '/oauth2/authorize',
      tokenUrl: '/oauth2/token',
      refreshUrl: '/oauth2/token',
      scopes: { read: 'Read what the user can see.', write: 'Read it, and act as the user.' },
    },
  },
} as const satisfies oas31.SecuritySchemeObject;

/** Either kind of token is accepted; the scope `write` includes `read`. */
function securityOf(operation: Route['operation']): oas31.SecurityRequirementObject[] {
  if (operation.for === 'anyone') return [];
  return [{ accessToken: [] }, { oauth: [scopeOf(operation)] }];
}

/** Describes an operation, and adds the schema of its body to the document. */
function operationOf(
  route: Route,
  { noun, tag, place, filters, requests }: ResourceNames & Described & { requests: Map<string, unknown> },
  views: Views,
  builder: OpenApiBuilder,
): oas31.OperationObject {
  const { method, procedure, operation } = route;
  if (operation.web) return webOperation(route, operation.web, tag);
  const fields = inputFieldsOf(operation);
  const body = bodySchema(fields);
  const bodyName = `${noun}${verbOf(route)}`;
  const { upload } = operation;
  const hasBody = (method === 'POST' || method === 'PATCH') && body !== undefined && !upload;
  if (hasBody) {
    builder.addSchema(bodyName, body);
    requests.set(bodyName, operation.example);
  }
  return {
    operationId: procedure,
    tags: [tag],
    summary: operation.summary,
    description: descriptionOf(route, place, fields),
    security: securityOf(operation),
    parameters: parametersOf(route, { place, noun, filters }, fields),
    ...(hasBody && { requestBody: requestBody(bodyName) }),
    ...(upload && { requestBody: uploadBody(upload, fields) }),
    responses: answersOf(route, place, fields, views.refTo(operation.output)),
  };
}

const schemasOf = ({ rootDoc }: OpenApiBuilder) => rootDoc.components?.schemas ?? {};

/** Adds an example of each body, for the operations that refer to it. */
function addExamples(builder: OpenApiBuilder, requests: ReadonlyMap<string, unknown>) {
  const paths = JSON.stringify(builder.rootDoc.paths);
  const used = Object.entries(examplesOf(schemasOf(builder), requests)).filter(([name]) =>
    paths.includes(`"#/components/examples/${name}"`),
  );
  for (const [name, example] of used) builder.addExample(name, example);
}

function pathItems(routes: readonly Route[], describe: (route: Route) => oas31.OperationObject) {
  const byPath = Map.groupBy(routes, ({ path }) => templateOf(path));
  return [...byPath].map(([path, group]): [string, oas31.PathItemObject] => [
    path,
    Object.fromEntries(group.map((route) => [route.method.toLowerCase(), describe(route)])),
  ]);
}

function bodySchema({ body, required }: InputFields): oas31.SchemaObject | undefined {
  const names = Object.keys(body);
  if (names.length === 0) return undefined;
  const requiredNames = names.filter((name) => required.has(name));
  return tidy({
    type: 'object',
    properties: body,
    ...(requiredNames.length > 0 && { required: requiredNames }),
  });
}

function requestBody(name: string): oas31.RequestBodyObject {
  const schema = { $ref: `#/components/schemas/${name}` };
  return {
    required: true,
    content: { 'application/json': { schema, examples: exampleFor(schema) } },
  };
}
