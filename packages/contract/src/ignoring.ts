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
  const isAbsent = (name: string, value: unknown) => {
    const isEmpty = value === null || value === '';
    const field: z.core.$ZodType | undefined =
      isEmpty && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return field !== undefined && z.safeParse(field, undefined).success && !z.safeParse(field, value).success;
  };
  return ignoring(schema, (sent) => Object.keys(sent).filter((name) => isAbsent(name, sent[name])));
}

function without(sent: Sent, names: readonly string[]): Sent {
  return names.length === 0
    ? sent
    : Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
