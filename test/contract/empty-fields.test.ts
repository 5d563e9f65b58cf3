import { routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** The fields that a change may set to null, of all resources. */
const nullable = routes.flatMap(({ method, path, operation: { input } }) =>
  method === 'PATCH' && input instanceof z.ZodObject
    ? Object.entries<z.ZodType>(input.shape)
        .filter(([name, field]) => !name.startsWith('$') && field.safeParse(null).success)
        .map(([name, field]) => ({ path, name, field }))
    : [],
);

/** Whether it is free text, in which an empty text is a value. */
const isFreeText = (field: z.ZodType) => field.safeParse(' x').success;

describe('a change of a field that may be null', () => {
  it('is possible for some fields', () => expect(nullable.length).toBeGreaterThan(50));

  it.each(nullable)('takes an empty text for none: $path $name', ({ field }) => {
    const { data, success } = field.safeParse('');
    expect({ data, success }).toEqual({ data: isFreeText(field) ? '' : null, success: true });
  });
});
