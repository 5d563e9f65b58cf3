import type { oas31 } from 'openapi3-ts';
import type { Route } from '../routes.ts';
import { codeSamplesOf, type SampleRequest, sdkNameOf } from './code-samples.ts';
import { templateOf } from './names.ts';
import { type Resolve, sampleOf } from './samples.ts';

/** Adds code samples to the operations of a complete document; they send the requests that the document has as examples. */
export function addCodeSamples(document: oas31.OpenAPIObject, routes: readonly Route[], server: string) {
  const resolved = resolverIn(document);
  for (const route of routes) {
    const template = templateOf(route.path);
    const documented = document.paths?.[template]?.[route.method.toLowerCase() as 'get'];
    if (!documented) continue;
    documented['x-codeSamples'] = codeSamplesOf(requestOf(route, documented, { template, server, resolved }));
  }
}

type Resolved = (value: unknown) => Readonly<Record<string, unknown>>;

interface Where {
  readonly template: string;
  readonly server: string;
  readonly resolved: Resolved;
}

/** Follows references within a document. */
function resolverIn(document: oas31.OpenAPIObject): Resolved {
  const resolved: Resolved = (value) => {
    const { $ref } = value as { readonly $ref?: string };
    if ($ref === undefined) return value as Readonly<Record<string, unknown>>;
    const names = $ref.slice('#/'.length).split('/');
    return resolved(
      names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document),
    );
  };
  return resolved;
}

function requestOf(
  { method, procedure, operation }: Route,
  documented: oas31.OperationObject,
  { template, server, resolved }: Where,
): SampleRequest {
  const parameters = (documented.parameters ?? []).map(
    (one) => resolved(one) as unknown as oas31.ParameterObject,
  );
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place && one.required)
        .map((one) => [one.name, sampleValue(one, resolved)]),
    );
  const [path, query] = [valuesIn('path'), valuesIn('query')];
  const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const body = bodyOf(documented, resolved);
  const hasFile = operation.download || operation.upload;
  return {
    method,
    url: `${server}${at}${search === '' ? '' : `?${search}`}`,
    needsToken: (documented.security ?? []).length > 0,
    body,
    returnsJson: returnsJson(documented, resolved),
    ...(!operation.web &&
      !hasFile && {
        sdk: {
          server,
          name: sdkNameOf(procedure),
          input: { ...path, ...query, ...(body?.content as object) },
        },
      }),
  };
}

function sampleValue({ name, schema = {} }: oas31.ParameterObject, resolved: Resolved): unknown {
  const resolve: Resolve = (ref) => resolved({ $ref: ref });
  const { type, enum: choices, const: only } = resolved(schema) as oas31.SchemaObject;
  // A secret, which has no typical value.
  if (type === 'string' && !choices && only === undefined && name === 'secret') return name.toUpperCase();
  return sampleOf(schema, resolve, name);
}

/** The example of the first kind of body that an operation accepts. */
function bodyOf({ requestBody }: oas31.OperationObject, resolved: Resolved): SampleRequest['body'] {
  const { content = {} } = resolved(requestBody ?? {}) as Partial<oas31.RequestBodyObject>;
  const [first] = Object.entries(content);
  if (!first) return undefined;
  const [type, { example, examples }] = first;
  return { type, content: examples?.typical ? resolved(examples.typical).value : example };
}

function returnsJson({ responses = {} }: oas31.OperationObject, resolved: Resolved): boolean {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const { content = {} } = resolved(success ?? {}) as Partial<oas31.ResponseObject>;
  return Object.keys(content)[0] === 'application/json';
}
