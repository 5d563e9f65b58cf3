import {
  type Condition,
  fieldErrorOf,
  fieldErrorsIn,
  invalidField,
  invalidFields,
  inWords,
  Refused,
} from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { withCustomFields } from '../custom-fields/custom-field-conditions.ts';
import { contactApi } from './contact.api.ts';

type Find = z.output<typeof contactApi.find.input>;

/** The conditions of a list of contacts, and the model with the columns that they use. */
export async function conditionsOn<Model extends ReadModel>(
  ctx: Pick<Context, 'query' | 'actor'>,
  model: Model,
  { where, has_email, has_phone }: Pick<Find, 'where' | 'has_email' | 'has_phone'>,
): Promise<{ readonly model: Model; readonly where: readonly Condition[] }> {
  const hidden = Object.entries({ has_email, has_phone }).flatMap(([field, value]): Condition[] =>
    value === undefined ? [] : [{ field, op: '$in', value: [value] }],
  );
  return withCustomFields(ctx, { model, where: [...where, ...hidden] });
}

const notConditions = ['$limit', '$skip', '$after', '$sort', '$select', '$load'];

/** Reads conditions that were sent as an object, in the same way as those of the list. Throws BadRequest. */
export function readFilter(filter: Readonly<Record<string, unknown>>): Find {
  const other = notConditions.find((name) => name in filter);
  if (other !== undefined) throw invalidField(other, 'is not a condition');
  const read = contactApi.find.input.safeParse(filter, { error: inWords });
  if (read.success) return read.data;
  const errors = read.error.issues.map((issue) => [issue.path.join('.'), fieldErrorOf(issue, filter)]);
  throw invalidFields({ errors: Object.fromEntries(errors) });
}

/** Runs code that reads a filter, so that its errors name the filter and the part of it. */
export async function namedFilter<Result>(read: () => Promise<Result>): Promise<Result> {
  return read().catch((error: unknown) => {
    if (!(error instanceof Refused) || error.name !== 'BadRequest') throw error;
    const named = fieldErrorsIn(error).map(([name, found]) => [`filter.${name}`, found] as const);
    throw invalidFields({ errors: Object.fromEntries(named) });
  });
}
