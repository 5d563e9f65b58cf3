import { hasDryRun, listingOf, scopeOf } from '@crm/contract';
import type { InputFields } from '../input-fields.ts';
import type { RecordPlace } from '../record-place.ts';
import type { Route } from '../routes.ts';

/** What a client developer should know of an operation, in sentences. */
export function descriptionOf(
  { method, operation }: Route,
  place: RecordPlace | undefined,
  fields: InputFields,
): string {
  const { details, kind, personal } = operation;
  const isRefused = kind === 'mutation' && !hasDryRun(operation);
  return [
    `${operation.summary}.`,
    details ?? whatItDoes({ method, operation }, place, fields.path.length > 0),
    ...(method === 'POST' ? [requirementOf(fields)] : []),
    ...(personal ? ['Only users themselves may do this, and not a broker who acts for them.'] : []),
    ...(isRefused ? ['It cannot be tried with `dry_run`.'] : []),
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
  hasPath: boolean,
): string {
  const listing = listingOf(operation.input);
  if (listing) return listed(listing.load, [...listing.fields.parts]);
  switch (method) {
    case 'GET':
      return hasPath ? 'The response is 404 if there is no such record or you cannot see it.' : '';
    case 'PATCH':
      return 'Fields that the body does not contain keep their values, and `null` clears a field. The response is the whole record.';
    case 'DELETE':
      return 'The response is the record as it was.';
    case 'POST':
      if (place === 'below') return 'The response is the whole record, and `Location` is its path.';
      return '';
  }
}

function listed(load: readonly string[], parts: readonly string[]): string {
  const [part] = parts;
  const filtered = part
    ? ` \`${part}\` can be filtered by the id of each, such as \`${part}.12[$gte]=100\`, with values of its type.`
    : '';
  const loading = load.length > 0 ? ` \`$load\` adds ${load.join(' and ')} to each record.` : '';
  return `The response is a page of the records that you can see: 10, or as many as \`$limit\` asks for. Fields with a single value can be filtered and sorted by.${filtered}${loading}`;
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
