import { expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';
import { preferredType } from './preferred-type.ts';

const csv = 'text/csv';
const lines = 'application/x-ndjson';

it.each([
  [undefined, csv],
  ['*/*', csv],
  [lines, lines],
  [`${csv}, ${lines}`, csv],
  [`${lines}, ${csv}`, csv],
  ['text/csv;q=0.1, application/x-ndjson', lines],
  ['Text/CSV ; q=0.9 , application/x-ndjson;Q=0.5', csv],
  ['text/csv;q=0, */*;q=0.1', lines],
  ['application/*, text/*;q=0.5', lines],
  ['*/*, application/x-ndjson;q=0.5', csv],
  ['text/csv;charset=utf-8', csv],
  ['application/json', undefined],
  ['text/csv;q=0', undefined],
  ['', undefined],
])('of two types, %s prefers %s', (accept, expected) => {
  expect(preferredType(accept, [csv, lines])).toBe(expected);
});

it.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/problem+json', 'problem+json'],
  ['application/problem+json, application/json', 'problem+json'],
  ['application/json, application/problem+json', 'problem+json'],
  ['application/problem+json;q=0.1, application/json', 'json'],
  ['application/problem+json;q=0, */*', 'json'],
  ['text/html', 'json'],
])('an error has the format that the client prefers: %s', async (accept, form) => {
  const { request } = await startThings();
  const { status, headers } = await request('GET /nothing', {
    headers: accept === undefined ? {} : { accept },
  });
  expect([status, headers.get('content-type')]).toEqual([404, `application/${form}; charset=utf-8`]);
});
