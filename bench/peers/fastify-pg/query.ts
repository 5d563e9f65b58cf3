import { integers, largestPage, moments, shown, usualPage } from '../contact-fields.ts';
import { bindings } from './database.ts';
import type { Page } from './reads.ts';

class BadQuery extends Error {
  readonly statusCode = 400;
}

const signs: Readonly<Record<string, string>> = { $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' };

/** The page that a query string asks for. */
export function readQuery(query: Readonly<Record<string, unknown>>): Page {
  const { $limit, $skip, $sort = {}, ...filters } = query;
  const { values, bind } = bindings(undefined, undefined, undefined);
  const conditions = Object.entries(filters).flatMap(([column, asked]) => {
    if (!shown.includes(column)) throw new BadQuery(`Unknown field "${column}".`);
    return conditionsOn(column, asked, bind);
  });
  return {
    limit: Math.min(wholeNumber('$limit', $limit, usualPage), largestPage),
    skip: wholeNumber('$skip', $skip, 0),
    order: Object.entries(Object($sort)).map(([column, direction]) => {
      if (!shown.includes(column)) throw new BadQuery(`Unknown field "${column}" in $sort.`);
      return [column, direction === '-1' ? 'desc' : 'asc'] as const;
    }),
    where: conditions.map((condition) => ` and ${condition}`).join(''),
    values: values.slice(3),
  };
}

type Bind = (value: unknown) => string;

function conditionsOn(column: string, asked: unknown, bind: Bind): string[] {
  const type = typeOf(column);
  if (typeof asked === 'string') return [`c.${column} = ${bind(checked(column, asked))}::${type}`];
  return Object.entries(Object(asked)).map(([operator, value]) => {
    const each = () => `any(${bind([value].flat().map((one) => checked(column, one)))}::${type}[])`;
    const single = () => bind(checked(column, value));
    if (operator === '$in') return `c.${column} = ${each()}`;
    if (operator === '$nin') return `(c.${column} = ${each()}) is not true`;
    if (operator === '$ne') return `(c.${column} = ${single()}::${type}) is not true`;
    if (operator === '$like') return `c.${column} ilike ${bind(String(value))}::text`;
    if (signs[operator]) return `c.${column} ${signs[operator]} ${single()}::${type}`;
    throw new BadQuery(`Unknown operator "${operator}".`);
  });
}

function typeOf(column: string): string {
  if (integers.includes(column)) return 'bigint';
  return moments.includes(column) ? 'timestamptz' : 'text';
}

function checked(column: string, value: unknown): string {
  const isInteger = integers.includes(column);
  if (typeof value !== 'string' || (isInteger && !/^-?\d{1,15}$/.test(value)))
    throw new BadQuery(`The value of "${column}" is invalid.`);
  if (moments.includes(column) && Number.isNaN(Date.parse(value)))
    throw new BadQuery(`"${column}" must be a time.`);
  return value;
}

function wholeNumber(name: string, value: unknown, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw new BadQuery(`${name} must be a whole number.`);
}
