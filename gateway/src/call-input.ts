import { type FieldError, invalidFields, listingOf, notWritable, unknown } from '@crm/contract';
import type { InputFields } from './input-fields.ts';
import type { Route } from './routes.ts';

type Values = Readonly<Record<string, unknown>>;

interface Parts {
  readonly query: Values;
  readonly body: Values;
  readonly params: Values;
  /** Refuse unknown fields, and unknown parameters of a POST, instead of ignoring them. */
  readonly strict: boolean;
}

/**
 * The input of a call. Path parameters come last, so that an id in the query or body cannot redirect a request, and conditions
 * come only from the query. The operation's own parameters may be in both; the body then takes precedence. Throws BadRequest for
 * what strict handling forbids, and for a parameter that would be ignored although it may be meant as a condition.
 */
export function callInputOf({ method, operation }: Route, fields: InputFields, parts: Parts): Values {
  const { query, body, params, strict } = parts;
  // Here and below, spreading treats a key such as `__proto__` like any other key.
  if (listingOf(operation.input)) {
    refuse(contradicted(query, params), (name) => otherThanInPath(params[name]));
    return { ...query, ...params };
  }
  const { own, conditions } = splitQuery(query, fields);
  if ((strict || method !== 'POST') && !fields.conditions)
    refuse(Object.keys(conditions), (name) => unknown('parameter', name, fields.query));
  const where = fields.conditions && Object.keys(conditions).length > 0 ? { $where: conditions } : {};
  return { ...own, ...writable(body, strict, fields.path), ...where, ...params };
}

/**
 * The conditions of a list that contradict the path: if they were dropped, the list would contain records that do not meet them.
 */
const contradicted = (query: Values, params: Values): string[] =>
  Object.keys(params).filter((name) => Object.hasOwn(query, name) && query[name] !== params[name]);

const otherThanInPath = (value: unknown): FieldError => ({
  message: `must be ${String(value).slice(0, 64)}, as in the path`,
  reason: 'invalid_value',
});

function splitQuery(query: Values, { query: names, select }: InputFields) {
  const isOwn = (name: string) => names.includes(name) || (select && name === '$select');
  const entries = Object.entries(query);
  return {
    own: Object.fromEntries(entries.filter(([name]) => isOwn(name))),
    conditions: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
  };
}

/** A body contains values of the record. Names with `$` are reserved and would change what the call does. */
function writable(body: Values, strict: boolean, path: readonly string[]): Values {
  const names = Object.keys(body);
  const reserved = names.filter((name) => name.startsWith('$'));
  if (strict)
    refuse([...names.filter((name) => path.includes(name)), ...reserved], (name) => notWritable(name, []));
  if (reserved.length === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('$')));
}

function refuse(names: readonly string[], errorOf: (name: string) => FieldError) {
  if (names.length === 0) return;
  throw invalidFields({ errors: Object.fromEntries(names.map((name) => [name, errorOf(name)])) });
}
