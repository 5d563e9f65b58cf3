import { forbidden, hasDryRun, notFound, type RefusalName, statuses, successOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import type { InputFields } from '../input-fields.ts';
import type { RecordPlace } from '../record-place.ts';
import type { Route } from '../routes.ts';
import { answerDescription } from './descriptions.ts';
import { errorAnswer, generalHeaders, header, meanings } from './errors.ts';
import { exampleFor } from './examples.ts';

/** The response of a success, and one for each error status. */
export function answersOf(
  route: Route,
  place: RecordPlace | undefined,
  fields: InputFields,
  schema: oas31.ReferenceObject,
): oas31.ResponsesObject {
  const isChange = route.method !== 'GET';
  const hasTag = place !== undefined && route.method !== 'DELETE';
  const success: oas31.ResponseObject = {
    description: answerDescription(route, place),
    headers: {
      ...generalHeaders,
      ...(hasTag && { ETag: header('entityTag') }),
      ...(place === 'below' && { Location: header('location') }),
      ...(hasDryRun(route.operation) && { 'Dry-Run': header('dryRun') }),
      ...(route.operation.kind === 'mutation' && { 'Idempotency-Replayed': header('replayed') }),
      ...(isChange && { 'Preference-Applied': header('preferenceApplied') }),
    },
    content: contentOf(route.operation, schema),
  };
  // A client that prefers minimal responses does not get the record after a change or removal.
  const canBeMinimal = isChange && route.method !== 'POST';
  return {
    [successOf(route.operation)]: success,
    ...(hasTag && !isChange && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...(canBeMinimal && { 204: { $ref: '#/components/responses/Minimal' } }),
    ...refusalsOf(route, place, fields),
  };
}

function contentOf({ download }: Route['operation'], schema: oas31.ReferenceObject): oas31.ContentObject {
  if (!download) return { 'application/json': { schema, examples: exampleFor(schema) } };
  return Object.fromEntries(
    Object.keys(download.types).map((type) => [
      type,
      { schema: { type: 'string' }, example: 'A file of any length.' },
    ]),
  );
}

function refusalsOf(
  { method, operation }: Route,
  place: RecordPlace | undefined,
  fields: InputFields,
): oas31.ResponsesObject {
  const names: RefusalName[] = ['BadRequest', 'UriTooLong', 'TooManyRequests', 'GeneralError', 'Unavailable'];
  if (operation.for !== 'anyone') names.push('NotAuthenticated', 'Forbidden');
  if (fields.path.length > 0) names.push('NotFound');
  if (operation.kind === 'mutation') names.push('Conflict', 'Unprocessable');
  if (place === 'here') names.push('PreconditionFailed');
  if (method === 'POST' || method === 'PATCH') names.push('PayloadTooLarge', 'UnsupportedMediaType');
  const own = Map.groupBy(operation.refuses, ({ refusal }) => refusal);
  const all = [...new Set([...names, ...own.keys()])].sort((a, b) => statuses[a] - statuses[b]);
  return Object.fromEntries(
    all.map((name) => [statuses[name], answerFor(name, own.get(name), names.includes(name))]),
  );
}

const general: ReadonlySet<unknown> = new Set([notFound, forbidden]);

/** The descriptions of an operation's own errors, after the general one if that applies too. */
function answerFor(name: RefusalName, refuses: Route['operation']['refuses'] = [], alsoGeneral: boolean) {
  const own = refuses.filter((refusal) => !general.has(refusal));
  const meaning = meanings[name];
  if (own.length === 0 && meaning !== undefined) return { $ref: `#/components/responses/${name}` };
  const hasGeneral = alsoGeneral || own.length < refuses.length;
  const texts = own.map(({ reason, message }) => `${message} (\`${reason}\`)`);
  return errorAnswer(name, [...(hasGeneral && meaning ? [meaning] : []), ...texts].join(' '), own[0]);
}
