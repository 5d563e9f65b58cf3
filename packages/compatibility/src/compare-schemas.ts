import { isDeepStrictEqual } from 'node:util';
import { type BreakingChange, breakAt, fieldOf, itemsOf, type Place, removed } from './breaking-change.ts';
import {
  allowedBy,
  type Form,
  isJson,
  type Json,
  jsonOf,
  textsOf,
  typesOf,
  valuesOf,
} from './json-schema.ts';
import { isUnchanged, type Schema } from './unchanged.ts';
import { type Sides, typeChanged, valueRules } from './value-rules.ts';

/** Finds what breaks for those who send the requests or receive the responses that the schema describes. */
export function compareSchemas(old: Schema, now: Schema, place: Place): BreakingChange[] {
  return compareAllowed(old, now, { place, within: [] });
}

interface Context {
  readonly place: Place;
  /** The named schemas that are being compared, so that a recursive one terminates. */
  readonly within: readonly string[];
}

function compareAllowed(old: Schema, now: Schema, outer: Context): BreakingChange[] {
  if (isUnchanged(old, now)) return [];
  // A recursive union is not a single form with a name.
  const pair = [old, now].map(({ schema }) => jsonOf(schema).$ref).join(' ');
  if (outer.within.includes(pair)) return [];
  const context = pair.trim() === '' ? outer : { ...outer, within: [...outer.within, pair] };
  const { place } = context;
  const [before, after] = [allowedBy(old.schema, old.document), allowedBy(now.schema, now.document)];
  return [
    ...defaultChange(old, now, place),
    ...nullChange(before.nullable, after.nullable, place),
    ...compareForms(before.forms, after.forms, { old, now, context }),
  ];
}

function defaultChange(old: Schema, now: Schema, place: Place): BreakingChange[] {
  const [before, after] = [jsonOf(old.schema).default, jsonOf(now.schema).default];
  if (place.direction === 'response' || before === undefined || isDeepStrictEqual(before, after)) return [];
  const says = `has the default ${JSON.stringify(after) ?? 'none'} instead of ${JSON.stringify(before)}`;
  return [breakAt(place, { what: 'default changed', says })];
}

function nullChange(before: boolean, after: boolean, place: Place): BreakingChange[] {
  if (before === after) return [];
  if (place.direction === 'request') {
    return after ? [] : [breakAt(place, { what: 'no longer nullable', says: 'no longer accepts null' })];
  }
  return after ? [breakAt(place, { what: 'nullable', says: 'may be null' })] : [];
}

interface FormContext {
  readonly old: Schema;
  readonly now: Schema;
  readonly context: Context;
}

function compareForms(before: readonly Form[], after: readonly Form[], forms: FormContext): BreakingChange[] {
  const { direction } = forms.context.place;
  const isRequest = direction === 'request';
  const compared = (one: Form, other: Form) => compareForm(one, other, forms);
  const [only, counterpart] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && only && counterpart) return compared(only, counterpart);
  const fits = (one: Form, other: Form) => compared(one, other).length === 0;
  const lost = before.filter((one) => !after.some((other) => fits(one, other)));
  const fresh = after.filter((other) => !before.some((one) => fits(one, other)));
  const [changed, into] = [lost[0], fresh[0]];
  if (lost.length === 1 && fresh.length === 1 && changed && into) return compared(changed, into);
  return (isRequest ? lost : fresh).map((form) => {
    const name = nameOf(form);
    return breakAt(
      forms.context.place,
      isRequest
        ? { what: `form ${name} removed`, says: `no longer accepts the form ${name}` }
        : { what: `form ${name} added`, says: `may have the new form ${name}` },
    );
  });
}

/** What distinguishes a form from the others. */
function nameOf({ name, schema }: Form): string {
  if (name !== undefined) return name;
  const told = Object.entries(jsonOf(schema.properties)).flatMap(([field, inner]) => {
    const values = valuesOf(jsonOf(inner));
    return values?.length === 1 ? [`${field} ${JSON.stringify(values[0])}`] : [];
  });
  if (told.length > 0) return told.join(', ');
  const fields = Object.keys(jsonOf(schema.properties));
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : [...typesOf(schema)].join(' or ');
}

function compareForm(before: Form, after: Form, { old, now, context }: FormContext): BreakingChange[] {
  const isNamed = before.name !== undefined && before.name === after.name;
  if (isNamed && context.within.includes(before.name)) return [];
  const inner = isNamed ? namedContext(context, before.name) : context;
  const { place } = inner;
  const sides: Sides = { old: before.schema, now: after.schema, direction: place.direction };
  const types = typeChanged(sides);
  if (types.length > 0) return types.map((finding) => breakAt(place, finding));
  const both = (keyword: string): [Schema, Schema] => [
    { schema: before.schema[keyword], document: old.document },
    { schema: after.schema[keyword], document: now.document },
  ];
  return [
    ...valueRules.flatMap((rule) => rule(sides)).map((finding) => breakAt(place, finding)),
    ...compareFields(both, sides, inner),
    ...compareFurtherFields(both, sides, inner),
    ...compareItems(both, sides, inner),
  ];
}

/** A change in a schema of the same name is reported once, not for each operation that uses it. */
const namedContext = ({ place, within }: Context, name: string): Context => ({
  place: { ...place, schema: name, part: place.direction, field: '' },
  within: [...within, name],
});

type Both = (keyword: string) => [Schema, Schema];

function compareFields(both: Both, { old, now }: Sides, context: Context): BreakingChange[] {
  const [before, after] = both('properties');
  const [fieldsBefore, fieldsAfter] = [fieldsOf(old), fieldsOf(now)];
  const lost = [...fieldsBefore.keys()].filter((name) => !fieldsAfter.has(name));
  return [
    ...lost.map((name) => removed(fieldOf(context.place, name))),
    ...[...fieldsAfter].flatMap(([name, { schema, isRequired }]) => {
      const place = fieldOf(context.place, name);
      const known = fieldsBefore.get(name);
      if (!known) return isRequired && place.direction === 'request' ? [newlyRequired(place)] : [];
      const [from, to] = [
        { schema: known.schema, document: before.document },
        { schema, document: after.document },
      ];
      const presence = presenceChange(known.isRequired, isRequired, place);
      return [...presence, ...compareAllowed(from, to, { ...context, place })];
    }),
  ];
}

export const newlyRequired = (place: Place): BreakingChange =>
  breakAt(place, { what: 'added as required', says: 'is new and required' });

export function presenceChange(before: boolean, after: boolean, place: Place): BreakingChange[] {
  if (before === after) return [];
  if (place.direction === 'request') {
    return after ? [breakAt(place, { what: 'required', says: 'is required' })] : [];
  }
  return after ? [] : [breakAt(place, { what: 'no longer required', says: 'may be missing' })];
}

function fieldsOf(schema: Json) {
  const fields = jsonOf(schema.properties);
  const required = new Set(textsOf(schema.required));
  const names = new Set([...Object.keys(fields), ...required]);
  return new Map([...names].map((name) => [name, { schema: fields[name], isRequired: required.has(name) }]));
}

/** Unnamed fields, in an object that is a dictionary. */
function compareFurtherFields(both: Both, { old, now }: Sides, context: Context): BreakingChange[] {
  const place = fieldOf(context.place, '*');
  const [before, after] = [old, now].map(({ additionalProperties: more }) => more === true || isJson(more));
  if (!before) return [];
  if (!after) return [removed(place)];
  return [
    ...compareAllowed(...both('additionalProperties'), { ...context, place }),
    // A name that is no longer possible is a removed field, in both directions.
    ...compareAllowed(...both('propertyNames'), { ...context, place: { ...place, direction: 'request' } }),
  ];
}

function compareItems(both: Both, { old, now }: Sides, context: Context): BreakingChange[] {
  if (old.items === undefined && now.items === undefined) return [];
  return compareAllowed(...both('items'), { ...context, place: itemsOf(context.place) });
}
