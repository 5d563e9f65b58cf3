import {
  choice,
  find,
  forbidden,
  id,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';

export const CustomFieldView = z.object({
  id,
  user_id: id.describe('Who made it'),
  name: text(255).min(1, { error: 'must not be empty' }).describe('Its title'),
  rank: integer.describe('Place in lists; lower numbers come first; 99999 unless it is given'),
  data_type: choice('Text', 'Number', 'Date', 'Dollar Amt').describe('What its values mean'),
});

/** A custom field on a contact: its definition, and the value that the contact has for it. */
export const CustomFieldOnContact = CustomFieldView.extend({ value: z.string().nullable() });

/** Clients also send numbers, and yes or no; a value is always a text. */
const value = z.preprocess(
  (sent) => (typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent),
  text(2000).nullable(),
);

/** A value as it is written with a contact. What clients echo back of the definition is ignored. */
export const customFieldValue = z.object({
  id: id.describe('Of the custom field'),
  value: value.describe('A text; null or an empty one clears it'),
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
    refuses: [forbidden],
  }),
  patch: operation({
    rest: 'PATCH /custom-fields/:id',
    summary: 'Change a custom field; only its maker may',
    input: record(CustomFieldView, { id, ...writable.partial().shape }),
    output: CustomFieldView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /custom-fields/:id',
    summary: 'Remove a custom field and its values; only its maker may',
    input: record(CustomFieldView, { id }),
    output: CustomFieldView,
    refuses: [notFound, forbidden],
  }),
};
