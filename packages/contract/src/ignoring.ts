import { z } from 'zod';
import { isRecord } from './list-of.ts';

type Sent = Readonly<Record<string, unknown>>;

/**
 * An input that ignores fields without effect in a request, whatever their values; `unusedIn` lists them. They are removed before
 * validation. Apply it last, because `extend` and similar methods return an object that ignores nothing.
 */
export function ignoring<Schema extends z.ZodObject>(
  schema: Schema,
  unusedIn: (sent: Sent) => readonly string[],
): Schema {
  const lenient = schema.clone();
  lenient._zod.run = (payload, context) => {
    if (isRecord(payload.value)) payload.value = without(payload.value, unusedIn(payload.value));
    return schema._zod.run(payload, context);
  };
  return lenient;
}

/**
 * The input of a request that creates a record. Clients send the empty fields of their forms as null or an empty text; in an
 * optional field that does not allow these values, they mean that it is missing.
 */
export function creating<Schema extends z.ZodObject>(schema: Schema): Schema {
  const allows = (name: string, value: unknown) =>
    z.safeParse(schema.shape[name] ?? z.never(), value).success;
  const isAbsent = (name: string, value: unknown) =>
    (value === null || value === '') && allows(name, undefined) && !allows(name, value);
  return ignoring(schema, (sent) => Object.keys(schema.shape).filter((name) => isAbsent(name, sent[name])));
}

function without(sent: Sent, names: readonly string[]): Sent {
  return names.length === 0
    ? sent
    : Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
