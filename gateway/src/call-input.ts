import { invalid, listingOf } from '@crm/contract';
import type { InputFields } from './input-fields.ts';
import type { Route } from './routes.ts';

type Values = Readonly<Record<string, unknown>>;

interface Parts {
  readonly query: Values;
  readonly body: Values;
  readonly params: Values;
  /** Refuse what has no meaning here instead of ignoring it. */
  readonly strict: boolean;
}

/**
 * The input of a call. Path parameters come last, so that an id in a query or a body cannot redirect a
 * request, and conditions come from the query alone. What belongs to the input itself may come in both; the body
 * is then what counts. Throws BadRequest for what strictness forbids.
 */
export function callInputOf({ operation }: Route, fields: InputFields, parts: Parts): Values {
  const { query, body, params, strict } = parts;
  // Spread, here and below, because it makes a key such as `__proto__` a key like any other.
  if (listingOf(operation.input)) return { ...query, ...params };
  const { own, conditions } = splitQuery(query, fields);
  if (strict && !fields.conditions) refuse(Object.keys(conditions), 'is not known here');
  const where = fields.conditions && Object.keys(conditions).length > 0 ? { $where: conditions } : {};
  return { ...own, ...writable(body, strict, fields.path), ...where, ...params };
}

function splitQuery(query: Values, { query: names, select }: InputFields) {
  const isOwn = (name: string) => names.includes(name) || (select && name === '$select');
  const entries = Object.entries(query);
  return {
    own: Object.fromEntries(entries.filter(([name]) => isOwn(name))),
    conditions: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
  };
}

/** A body holds values of the record. Names with `$` are ours, and would change what the call does. */
function writable(body: Values, strict: boolean, path: readonly string[]): Values {
  if (strict)
    refuse(
      Object.keys(body).filter((name) => path.includes(name)),
      'cannot be written',
    );
  const foreign = Object.keys(body).filter((name) => name.startsWith('$'));
  if (foreign.length === 0) return body;
  if (strict) refuse(foreign, 'cannot be written');
  return Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('$')));
}

function refuse(names: readonly string[], text: string) {
  const [first] = names;
  if (first === undefined) return;
  throw invalid({
    message: `${first} ${text}`,
    errors: Object.fromEntries(names.map((name) => [name, text])),
  });
}
