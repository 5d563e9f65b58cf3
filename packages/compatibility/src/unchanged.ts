import { type Json, targetOf } from './json-schema.ts';

/** A schema, and the document that its references point into. */
export interface Schema {
  readonly schema: unknown;
  readonly document: Json;
}

/** Whether two schemas and everything that they reference are identical. */
export function isUnchanged(old: Schema, now: Schema): boolean {
  const text = textOf(old.schema);
  return text === textOf(now.schema) && namesIn(text).every(samenessIn(old.document, now.document));
}

type IsSame = (reference: string) => boolean;

/** Cached by the two documents: many operations use the same schemas, and each is compared once. */
const known = new WeakMap<Json, WeakMap<Json, IsSame>>();

function samenessIn(old: Json, now: Json): IsSame {
  const ofOld = known.get(old) ?? new WeakMap<Json, IsSame>();
  const isSame = ofOld.get(now) ?? newSameness(old, now);
  known.set(old, ofOld.set(now, isSame));
  return isSame;
}

function newSameness(old: Json, now: Json): IsSame {
  const answers = new Map<string, boolean>();
  return (reference) => {
    const answer = answers.get(reference) ?? isSameIn(old, now, reference);
    answers.set(reference, answer);
    return answer;
  };
}

function isSameIn(old: Json, now: Json, reference: string): boolean {
  const reached = new Set([reference]);
  for (const one of reached) {
    const text = textOf(targetOf(one, old));
    if (text === '' || text !== textOf(targetOf(one, now))) return false;
    for (const further of namesIn(text)) reached.add(further);
  }
  return true;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

const namesIn = (text: string): string[] =>
  [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, name = '']) => name);
