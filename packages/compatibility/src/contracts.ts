import { type BreakingChange, breakAt, type Place, placeOf, removed } from './breaking-change.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Json, jsonOf, textsOf } from './json-schema.ts';

/** Breaking changes of the operations that the public document does not describe. */
export function compareContracts(service: string, old: Json, now: Json): BreakingChange[] {
  const operations = jsonOf(now.operations);
  return Object.entries(jsonOf(old.operations)).flatMap(([name, raw]) => {
    const before = jsonOf(raw);
    const place = placeOf(`contract ${service}`, name, 'request');
    // The public document now describes it.
    if (before.rest !== undefined) return [];
    if (operations[name] === undefined) return [removed(place, 'operation removed')];
    const after = jsonOf(operations[name]);
    if (after.rest !== undefined) return [];
    // Each is a document of its own, with the schemas that it references.
    const schemaOf = (schema: unknown) => ({ schema, document: jsonOf(schema) });
    const both = (keyword: string, here: Place) =>
      compareSchemas(schemaOf(before[keyword]), schemaOf(after[keyword]), here);
    return [
      ...callChanges(before, after, place),
      ...both('input', { ...place, part: 'request' }),
      ...both('output', { ...place, part: 'response', direction: 'response' }),
      ...refusalsRemoved(before, after, place),
    ];
  });
}

function callChanges(before: Json, after: Json, place: Place): BreakingChange[] {
  const isNarrowed = before.for !== after.for && after.for !== 'anyone';
  const remaining = new Set(textsOf(after.callers));
  const lost = after.for === 'system' ? textsOf(before.callers).filter((name) => !remaining.has(name)) : [];
  return [
    ...(before.kind === after.kind
      ? []
      : [breakAt(place, { what: 'kind changed', says: `is a ${after.kind} instead of a ${before.kind}` })]),
    ...(isNarrowed
      ? [breakAt(place, { what: 'callers changed', says: `is for ${after.for} instead of ${before.for}` })]
      : []),
    ...(lost.length > 0
      ? [breakAt(place, { what: 'callers changed', says: `is no longer for ${lost.join(', ')}` })]
      : []),
  ];
}

function refusalsRemoved(before: Json, after: Json, place: Place): BreakingChange[] {
  const kept = new Set(textsOf(after.refuses));
  return textsOf(before.refuses)
    .filter((name) => !kept.has(name))
    .map((name) => removed({ ...place, part: `refusal ${name}` }));
}
