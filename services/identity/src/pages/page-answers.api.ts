import { z } from 'zod';

const page = { 'text/html': null } as const;
const onward = {} as const;

/** What a page answers, for the document. */
export const shownOr303 = { 200: page, 303: onward } as const;
export const actedOn = { 303: onward, 403: page, 404: page, 422: page } as const;

/** The body of a form, for the document. */
export const formOf = (shape: z.ZodRawShape = {}) => ({
  'application/x-www-form-urlencoded': z.object({ form_token: z.string(), ...shape }),
});
