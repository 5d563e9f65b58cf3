import type { JsonText } from '@crm/data';
import { answerWith, type Context, type Pending } from '@crm/service';
import type { z } from 'zod';
import { writeCustomFields } from '../custom-fields/write-custom-fields.ts';
import { replaceTags, type TagOfContact } from '../tags/tag.queries.ts';
import type { contactApi } from './contact.api.ts';
import { contactRows } from './contact.queries.ts';
import { writeAddresses } from './write-addresses.ts';

type Draft = z.output<typeof contactApi.create.input>;

interface Parts extends Pick<Draft, 'addresses' | 'custom_fields'> {
  readonly tags?: readonly TagOfContact[] | undefined;
}

/** The fields that are written with parts. */
export const namesOf = ({ addresses = [], custom_fields = [], tags }: Parts): string[] => [
  ...(tags === undefined ? [] : ['tags']),
  ...(addresses.length > 0 ? ['addresses'] : []),
  ...(custom_fields.length > 0 ? ['custom_fields'] : []),
];

/**
 * Writes the parts of a contact that have rows of their own, and returns the response. Statements that do not need the result
 * of another are sent in one packet, after those that are being sent: PostgreSQL runs them in this order, and none after one
 * that fails.
 */
export async function answerAfter(
  ctx: Context,
  contactId: number,
  writing: readonly (Promise<unknown> | false)[],
  { addresses = [], custom_fields = [], tags }: Parts,
): Promise<Pending<JsonText>> {
  const sent = [...writing, tags !== undefined && replaceTags(ctx.query, contactId, tags)];
  // Addresses and custom fields are read before they are written, and take more than one statement.
  if (addresses.length > 0 || custom_fields.length > 0) {
    await Promise.all(sent);
    await writeAddresses(ctx, contactId, addresses);
    await writeCustomFields(ctx, contactId, custom_fields);
  }
  return answerWith(ctx, contactRows, contactId, sent);
}
