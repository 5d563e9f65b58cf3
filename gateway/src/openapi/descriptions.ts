import { hasDryRun, listingOf, pageLimits, scopeOf } from '@crm/contract';
import type { InputFields } from '../input-fields.ts';
import type { RecordPlace } from '../record-place.ts';
import type { Route } from '../routes.ts';

/** What a client developer should know about an operation, in sentences. */
export function descriptionOf(
  { method, operation }: Route,
  place: RecordPlace | undefined,
  fields: InputFields,
): string {
  const { details, kind, personal } = operation;
  const isRefused = kind === 'mutation' && !hasDryRun(operation);
  return [
    `${operation.summary}.`,
    details ?? whatItDoes({ method, operation }, place, fields),
    ...(method === 'POST' ? [requirementOf(fields)] : []),
    ...(personal ? ['Only the user may do this, not a broker who acts for the user.'] : []),
    ...(isRefused ? ['`dry_run` is not supported.'] : []),
    operation.for === 'anyone'
      ? 'No access token is needed.'
      : `The access token needs the scope \`${scopeOf(operation)}\`.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function whatItDoes(
  { method, operation }: Pick<Route, 'method' | 'operation'>,
  place: RecordPlace | undefined,
  { path, body }: InputFields,
): string {
  const listing = listingOf(operation.input);
  if (listing) return listed(listing.load, [...listing.fields.parts]);
  switch (method) {
    case 'GET':
      return path.length > 0 ? 'The response is 404 if there is no such record or you cannot see it.' : '';
    case 'PATCH':
      return `Fields that the body does not contain keep their values${Object.values(body).some(mayBeNull) ? ', and `null` clears a field that may be null' : ''}. The response is the whole record.`;
    case 'DELETE':
      return 'The response is the record as it was.';
    case 'POST':
      if (place === 'below') return 'The response is the whole record, and `Location` is its path.';
      return '';
  }
}

const mayBeNull = ({ type, anyOf = [] }: InputFields['body'][string]): boolean =>
  type === 'null' || anyOf.some(mayBeNull);

function listed(load: readonly string[], parts: readonly string[]): string {
  const [part] = parts;
  const filtered = part
    ? ` Filter \`${part}\` by id, such as \`${part}.12[$gte]=100\`, with values of the type of that field.`
    : '';
  const loading = load.length > 0 ? ` \`$load\` adds ${load.join(' and ')} to each record.` : '';
  return `The response is a page of the records that you can see, ${pageLimits.default} unless \`$limit\` is given. You can filter and sort by every field with a single value.${filtered}${loading}`;
}

function requirementOf({ body, required }: InputFields): string {
  const names = Object.keys(body).filter((name) => required.has(name));
  if (names.length === 0) return '';
  const list = names.map((name) => `\`${name}\``).join(', ');
  return `${list} ${names.length === 1 ? 'is' : 'are'} required.`;
}

/** What a successful response contains. */
export function answerDescription({ method, operation }: Route, place: RecordPlace | undefined): string {
  if (listingOf(operation.input)) return 'A page of records.';
  if (operation.download) return 'The file.';
  if (method === 'DELETE') return 'The record as it was before it was removed.';
  if (method === 'PATCH') return 'The record after the change.';
  if (method === 'POST' && place === 'below') return 'The record that was added.';
  return method === 'GET' ? 'The record.' : 'The result.';
}
