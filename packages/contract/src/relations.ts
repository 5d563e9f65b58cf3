import { z } from 'zod';
import { choice } from './fields.ts';
import { listOf } from './list-of.ts';

/**
 * The relations that `$load` may name anywhere in the API. A name that only other resources have is ignored; any other is an
 * error.
 */
export const relations = ['assigned_user', 'completing_user', 'send_from_user', 'template'] as const;

export type Relation = (typeof relations)[number];

const known: ReadonlySet<unknown> = new Set(relations);

/** The parameter `$load` of an operation on one record that has these relations. */
export function loadOf<const Own extends Relation>(...own: readonly [Own, ...Own[]]) {
  const isIgnored = (name: unknown) => name === '' || (known.has(name) && !own.some((one) => one === name));
  return z
    .preprocess(
      (value) => {
        const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : listOf(value);
        return names?.filter((name) => !isIgnored(name)) ?? value;
      },
      z.array(choice(...own)),
    )
    .optional();
}
