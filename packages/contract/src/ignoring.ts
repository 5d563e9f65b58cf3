import { z } from 'zod';
import { isRecord } from './list-of.ts';

type Sent = Readonly<Record<string, unknown>>;

/**
 * An input that ignores fields which do not count in a request, whatever their values are; `unusedIn` names them. They are left
 * out before anything is validated. To be applied last: `extend` and the like return an object that ignores nothing.
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
 * The input of a request that creates a record: null or an empty text for a field that may be missing but cannot be that means
 * that it is missing, because clients send the empty fields of their forms like this.
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
