import type { Context } from '@crm/service';
import type { z } from 'zod';
import { writeCustomFields } from '../custom-fields/write-custom-fields.ts';
import type { TagOfContact } from '../tags/tag.queries.ts';
import { writeTags } from '../tags/write-tags.ts';
import type { contactApi } from './contact.api.ts';
import { writeAddresses } from './write-addresses.ts';

type Draft = z.output<typeof contactApi.create.input>;

interface Parts extends Pick<Draft, 'addresses' | 'custom_fields'> {
  readonly tags?: readonly TagOfContact[] | undefined;
}

/**
 * Writes the parts of a contact that have rows of their own, as far as possible with one packet. Returns the names of the
 * fields that were written.
 */
export async function writeParts(
  ctx: Context,
  contactId: number,
  { addresses = [], custom_fields = [], tags }: Parts,
): Promise<string[]> {
  const writeOthers = async () => {
    await writeAddresses(ctx, contactId, addresses);
    await writeCustomFields(ctx, contactId, custom_fields);
  };
  await Promise.all([writeTags(ctx, contactId, tags), writeOthers()]);
  return [
    ...(tags === undefined ? [] : ['tags']),
    ...(addresses.length > 0 ? ['addresses'] : []),
    ...(custom_fields.length > 0 ? ['custom_fields'] : []),
  ];
}
