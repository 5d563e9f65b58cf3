import { isDeepStrictEqual } from 'node:util';
import { type BreakingChange, breakAt, merged, type Place, placeOf, removed } from './breaking-change.ts';
import { compareSchemas, newlyRequired, presenceChange } from './compare-schemas.ts';
import { isJson, type Json, jsonOf, listOf, resolved } from './json-schema.ts';

/** Finds what breaks clients of the REST API. */
export function compareOpenApi(old: Json, now: Json): BreakingChange[] {
  const operations = operationsOf(now);
  const changes = [...operationsOf(old)].flatMap(([key, before]) => {
    const after = operations.get(key);
    const place = placeOf('openapi', before.name, 'request');
    if (!after) return [removed(place, 'operation removed')];
    return compareOperation(before, after, place);
  });
  return merged(changes);
}

interface Operation {
  /** Such as `GET /contacts/{id}`. */
  readonly name: string;
  readonly operation: Json;
  readonly document: Json;
  /** By location and name; path parameters by their position. */
  readonly parameters: ReadonlyMap<string, Json>;
}

const methods = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'trace'];

/** By method and path; the names of path parameters do not matter to clients. */
function operationsOf(document: Json): Map<string, Operation> {
  const found = Object.entries(jsonOf(document.paths)).flatMap(([path, item]) =>
    methods.flatMap((method): [string, Operation][] => {
      const operation = jsonOf(item)[method];
      if (!isJson(operation)) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const parameters = parametersOf(path, [jsonOf(item), operation], document);
      return [[name.replaceAll(/\{[^}]*\}/g, '{}'), { name, operation, document, parameters }]];
    }),
  );
  return new Map(found);
}

function parametersOf(path: string, holders: readonly Json[], document: Json): Map<string, Json> {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  const all = holders.flatMap(({ parameters }) => listOf(parameters));
  return new Map(
    all.map((raw) => {
      const { value } = resolved(raw, document);
      const isInPath = value.in === 'path';
      const name = isInPath ? inPath.indexOf(String(value.name)) + 1 : value.name;
      return [`${value.in} parameter ${name}`, value];
    }),
  );
}

function compareOperation(before: Operation, after: Operation, place: Place): BreakingChange[] {
  return [
    ...compareNames(before, after, place),
    ...compareSecurity(before, after, place),
    ...compareParameters(before, after, place),
    ...compareBodies(before, after, place),
    ...compareResponses(before, after, place),
  ];
}

/** TypeScript callers and generated clients call an operation by this name. */
function compareNames(before: Operation, after: Operation, place: Place): BreakingChange[] {
  const [old, now] = [before.operation.operationId, after.operation.operationId];
  if (old === undefined || old === now) return [];
  const says = `has the operationId ${now ?? 'none'} instead of ${old}`;
  return [breakAt(place, { what: 'operationId changed', says })];
}

/** Whether an alternative names the same schemes and scopes. If the old one has no scopes, it did not say which are needed. */
function isAcceptedBy(now: Json, before: Json): boolean {
  const schemes = Object.entries(before);
  return (
    schemes.length === Object.keys(now).length &&
    schemes.every(
      ([name, scopes]) =>
        name in now && (listOf(scopes).length === 0 || isDeepStrictEqual(scopes, now[name])),
    )
  );
}

function compareSecurity(before: Operation, after: Operation, place: Place): BreakingChange[] {
  const now = waysIn(after);
  const isOpen = now.some((way) => Object.keys(way).length === 0);
  const lost = waysIn(before).filter((way) => !now.some((other) => isAcceptedBy(other, way)));
  if (isOpen || lost.length === 0) return [];
  const says = 'no longer accepts requests that were authorized before';
  return [breakAt(place, { what: 'security changed', says })];
}

/** The alternatives for authorization; none at all is an alternative too. */
function waysIn({ operation, document }: Operation): Json[] {
  const ways = listOf(operation.security ?? document.security).map(jsonOf);
  return ways.length > 0 ? ways : [{}];
}

function compareParameters(before: Operation, after: Operation, place: Place): BreakingChange[] {
  const lost = [...before.parameters.keys()].filter((part) => !after.parameters.has(part));
  return [
    ...lost.map((part) => removed({ ...place, part })),
    ...[...after.parameters].flatMap(([part, parameter]) => {
      const known = before.parameters.get(part);
      const here = { ...place, part };
      if (!known) return parameter.required === true ? [newlyRequired(here)] : [];
      const old = { schema: known.schema, document: before.document };
      const now = { schema: parameter.schema, document: after.document };
      return [
        ...presenceChange(known.required === true, parameter.required === true, here),
        ...styleChange(known, parameter, here),
        ...compareSchemas(old, now, here),
      ];
    }),
  ];
}

function styleChange(before: Json, after: Json, place: Place): BreakingChange[] {
  const isSame = ['style', 'explode'].every((keyword) => before[keyword] === after[keyword]);
  return isSame ? [] : [breakAt(place, { what: 'style changed', says: 'is written in another style' })];
}

function compareBodies(before: Operation, after: Operation, place: Place): BreakingChange[] {
  const [old, now] = [before, after].map(({ operation, document }) =>
    resolved(operation.requestBody, document),
  );
  const here = { ...place, part: 'request' };
  const [was, is] = [jsonOf(old?.value), jsonOf(now?.value)];
  if (was.content === undefined) return is.required === true ? [newlyRequired(here)] : [];
  return [
    ...presenceChange(was.required === true, is.required === true, here),
    ...compareContent({ held: was, by: before }, { held: is, by: after }, here),
  ];
}

function compareResponses(before: Operation, after: Operation, place: Place): BreakingChange[] {
  const [old, now] = [jsonOf(before.operation.responses), jsonOf(after.operation.responses)];
  return Object.keys(old).flatMap((status) => {
    const here: Place = { ...place, part: `response ${status}`, direction: 'response' };
    if (now[status] === undefined) return [removed(here)];
    const was = resolved(old[status], before.document).value;
    const is = resolved(now[status], after.document).value;
    return [
      ...compareHeaders({ held: was, by: before }, { held: is, by: after }, here),
      ...compareContent({ held: was, by: before }, { held: is, by: after }, here),
    ];
  });
}

/** A request or response body with its headers, and the operation that it belongs to. */
interface Holder {
  readonly held: Json;
  readonly by: Operation;
}

function compareHeaders(before: Holder, after: Holder, place: Place): BreakingChange[] {
  return Object.entries(jsonOf(before.held.headers)).flatMap(([name, raw]) => {
    const here = { ...place, part: `${place.part} header ${name}` };
    const other = jsonOf(after.held.headers)[name];
    if (other === undefined) return [removed(here)];
    return compareSchemas(schemaOf(raw, before.by), schemaOf(other, after.by), here);
  });
}

function compareContent(before: Holder, after: Holder, place: Place): BreakingChange[] {
  return Object.entries(jsonOf(before.held.content)).flatMap(([type, raw]) => {
    const here = type === 'application/json' ? place : { ...place, part: `${place.part} as ${type}` };
    const other = jsonOf(after.held.content)[type];
    if (other === undefined) {
      return [breakAt(place, { what: `type ${type} removed`, says: `no longer has the type ${type}` })];
    }
    return compareSchemas(schemaOf(raw, before.by), schemaOf(other, after.by), here);
  });
}

const schemaOf = (holder: unknown, { document }: Operation) => ({
  schema: resolved(holder, document).value.schema,
  document,
});
