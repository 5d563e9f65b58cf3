import type { Filter, Question } from './reference-model.ts';

/** A query in the form that clients send. */
export function queryString({ filters, groups, sort, limit, skip, select }: Question): string {
  const parts = [
    ...filters.flatMap((filter) => filterParts(filter, (name) => name)),
    ...groups.flatMap((group, index) =>
      group.flatMap((filter) =>
        filterParts(filter, (name) => `$or[${index}]${name.replace(/^[^[]+/, (field) => `[${field}]`)}`),
      ),
    ),
    ...sort.map(([field, direction]) => [`$sort[${field}]`, String(direction)]),
    ['$limit', String(limit)],
    ['$skip', String(skip)],
    ...(select ? [['$select', select.join(',')]] : []),
  ];
  return parts.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function filterParts({ field, operator, values }: Filter, within: (name: string) => string): string[][] {
  const name = operator === '$in' && values.length < 3 ? within(field) : within(`${field}[${operator}]`);
  return values.map((value) => [name, String(value)]);
}
