import {
  choice,
  find,
  forbidden,
  id,
  integer,
  maxCustomFields,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
  text,
} from '@crm/contract';
import { z } from 'zod';

export const tooManyCustomFields = refusal(
  'Conflict',
  `You already have ${maxCustomFields} custom fields, the maximum. Remove one that you no longer need.`,
  {
    reason: 'too_many_custom_fields',
    when: `The user has ${maxCustomFields} custom fields or more.`,
    fix: 'Remove one that is no longer needed (see `GET /custom-fields`), or rename it.',
    example: 'POST /custom-fields\n\n{ "name": "Pets", "data_type": "Text" }',
    given: 'you have reached the maximum',
  },
);

export const CustomFieldView = z.object({
  id,
  user_id: id.describe('The user who created it'),
  name: text(255)
    .min(1, { error: 'must not be empty' })
    .describe('The label of the field')
    .meta({ examples: ['Pets'] }),
  rank: integer.describe('Position in lists, in ascending order (default 99999)'),
  data_type: choice('Text', 'Number', 'Date', 'Dollar Amt').describe('The kind of its values'),
});

/** A custom field of a contact: its definition and its value. */
export const CustomFieldOnContact = CustomFieldView.extend({ value: z.string().nullable() });

/** Clients also send numbers and booleans; a value is always a string. */
const value = z.preprocess(
  (sent) => (typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent),
  text(2000).nullable(),
);

/** A value as it is written with a contact. Other fields of the definition are ignored. */
export const customFieldValue = z.object({
  id: id.describe('The id of the custom field'),
  value: value.describe('null or an empty string clears the value'),
});

const writable = CustomFieldView.pick({ name: true, rank: true, data_type: true });

export const customFieldApi = {
  find: operation({
    rest: 'GET /custom-fields',
    summary: 'List custom fields',
    input: find(CustomFieldView),
    output: pageOf(CustomFieldView),
  }),
  get: operation({
    rest: 'GET /custom-fields/:id',
    summary: 'Read a custom field',
    input: record(CustomFieldView, { id }),
    output: CustomFieldView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /custom-fields',
    summary: 'Add a custom field',
    input: writable.partial({ rank: true }),
    output: CustomFieldView,
    refuses: [forbidden, tooManyCustomFields],
  }),
  patch: operation({
    rest: 'PATCH /custom-fields/:id',
    summary: 'Change a custom field (creator only)',
    input: record(CustomFieldView, { id, ...writable.partial().shape }),
    output: CustomFieldView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /custom-fields/:id',
    summary: 'Remove a custom field and its values (creator only)',
    input: record(CustomFieldView, { id }),
    output: CustomFieldView,
    refuses: [notFound, forbidden],
  }),
};
