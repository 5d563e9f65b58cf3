import { readFormText } from '@crm/query';

/** The fields of a form, whose names may have brackets, as those of a query. */
export const fieldsIn = (fields: readonly (readonly [string, string])[]): Readonly<Record<string, unknown>> =>
  readFormText(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString());
