import { isDeepStrictEqual } from 'node:util';
import type { Direction, Finding } from './breaking-change.ts';
import { isAnnotation, type Json, typesOf, valuesOf } from './json-schema.ts';

/**
 * The receiver must accept every value that the sender may send: the system still accepts what clients could send before; clients
 * could already expect what the system sends now.
 */
export interface Sides {
  readonly old: Json;
  readonly now: Json;
  readonly direction: Direction;
}

type Rule = (sides: Sides) => Finding[];

const sentAndExpected = ({ old, now, direction }: Sides): readonly [Json, Json] =>
  direction === 'request' ? [old, now] : [now, old];

const accepts = (types: ReadonlySet<string>, type: string) =>
  types.has(type) || (type === 'integer' && types.has('number'));

export const typeChanged: Rule = (sides) => {
  const [sent, expected] = sentAndExpected(sides).map(typesOf);
  if (!sent || !expected || [...sent].every((type) => accepts(expected, type))) return [];
  const says = `has the type ${typeNameOf(sides.now)} instead of ${typeNameOf(sides.old)}`;
  return [{ what: 'type changed', says }];
};

const typeNameOf = (schema: Json): string =>
  schema.type === undefined && !valuesOf(schema) ? 'any' : [...typesOf(schema)].sort().join(' or ');

const valuesChanged: Rule = (sides) => {
  const [sent, expected] = sentAndExpected(sides).map(valuesOf);
  const isRequest = sides.direction === 'request';
  if (!expected) return [];
  if (!sent) {
    const named = expected.map((value) => JSON.stringify(value)).join(', ');
    return isRequest
      ? [{ what: 'limited to values', says: `accepts only ${named}` }]
      : [{ what: 'no longer limited to values', says: `may be something other than ${named}` }];
  }
  const strays = sent.filter((value) => !expected.some((other) => isDeepStrictEqual(value, other)));
  return strays.map((value) => {
    const name = JSON.stringify(value);
    return isRequest
      ? { what: `value ${name} removed`, says: `no longer accepts the value ${name}` }
      : { what: `value ${name} added`, says: `may have the new value ${name}` };
  });
};

const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];

const limitsChanged: Rule = (sides) => {
  const [sent, expected] = sentAndExpected(sides);
  const isKept = (keyword: string) => {
    const limit = expected[keyword];
    if (typeof limit !== 'number') return true;
    return upper.includes(keyword) ? mostOf(sent, keyword) <= limit : leastOf(sent, keyword) >= limit;
  };
  const broken = [...upper, ...lower].filter((keyword) => !isKept(keyword));
  return broken.map((keyword) => {
    const says = `${keyword} ${sides.now[keyword] ?? 'none'} instead of ${sides.old[keyword] ?? 'none'}`;
    return sides.direction === 'request'
      ? { what: `${keyword} narrowed`, says: `has the narrower limit ${says}` }
      : { what: `${keyword} widened`, says: `has the wider limit ${says}` };
  });
};

/** How much a schema allows: its limit, or the largest of its only values. */
function mostOf(schema: Json, keyword: string): number {
  const values = valuesOf(schema);
  if (values) return Math.max(...values.flatMap((value) => sizeOf(value, keyword)));
  return typeof schema[keyword] === 'number' ? schema[keyword] : Infinity;
}

function leastOf(schema: Json, keyword: string): number {
  const values = valuesOf(schema);
  if (values) return Math.min(...values.flatMap((value) => sizeOf(value, keyword)));
  // Nothing is shorter than empty.
  const lowest = keyword.endsWith('imum') ? -Infinity : 0;
  return typeof schema[keyword] === 'number' ? schema[keyword] : lowest;
}

/** Empty for a value of a type that the limit does not apply to. */
function sizeOf(value: unknown, keyword: string): number[] {
  if (keyword.endsWith('Length') && typeof value === 'string') return [[...value].length];
  return keyword.endsWith('imum') && typeof value === 'number' ? [value] : [];
}

/** Keywords without which everything is allowed, and whose values cannot be compared. */
const forms = ['format', 'pattern', 'multipleOf', 'uniqueItems'];

const formChanged: Rule = (sides) => {
  const [sent, expected] = sentAndExpected(sides);
  const isKept = (keyword: string) => {
    const form = expected[keyword];
    if (form === undefined || form === sent[keyword]) return true;
    const values = keyword === 'pattern' && valuesOf(sent);
    return values ? values.every((value) => new RegExp(String(form), 'u').test(String(value))) : false;
  };
  return forms
    .filter((keyword) => !isKept(keyword))
    .map((keyword) => ({
      what: `${keyword} changed`,
      says: `has the ${keyword} ${sides.now[keyword] ?? 'none'} instead of ${sides.old[keyword] ?? 'none'}`,
    }));
};

const structure = ['type', 'const', 'enum', 'properties', 'required', 'items'];
const known = new Set([...structure, ...upper, ...lower, ...forms, 'additionalProperties', 'propertyNames']);

/** A keyword without a rule may mean anything, so every difference in it is reported. */
const unknownChanged: Rule = ({ old, now }) => {
  const keywords = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return keywords
    .filter((keyword) => !known.has(keyword) && !isAnnotation(keyword))
    .filter((keyword) => !isDeepStrictEqual(old[keyword], now[keyword]))
    .map((keyword) => ({ what: `${keyword} changed`, says: `has another ${keyword}` }));
};

export const valueRules: readonly Rule[] = [valuesChanged, limitsChanged, formChanged, unknownChanged];
