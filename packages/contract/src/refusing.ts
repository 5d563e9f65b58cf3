import type { z } from 'zod';
import { isRecord } from './list-of.ts';

/**
 * An input that refuses fields that would otherwise be ignored, where a client that sends them relies on an effect. `errorOf`
 * returns what is wrong with a field. Apply it last, because `extend` and similar methods return an object that refuses nothing.
 */
export function refusing<Schema extends z.ZodObject>(
  schema: Schema,
  errorOf: (name: string, value: unknown) => string | undefined,
): Schema {
  const refuser = schema.clone();
  refuser._zod.run = (payload, context) => {
    const sent = isRecord(payload.value) ? Object.entries(payload.value) : [];
    const issues = sent.flatMap(([name, input]) => {
      const message = Object.hasOwn(schema.shape, name) ? undefined : errorOf(name, input);
      const params = { reason: 'unknown_name' };
      return message === undefined
        ? []
        : [{ code: 'custom' as const, path: [name], message, params, input, inst: refuser }];
    });
    const run = schema._zod.run(payload, context);
    payload.issues.push(...issues);
    return run;
  };
  return refuser;
}
