import type { Context } from '@crm/service';
import type { z } from 'zod';
import { writeCustomFields } from '../custom-fields/write-custom-fields.ts';
import { writeTags } from '../tags/write-tags.ts';
import type { contactApi } from './contact.api.ts';
import { writeAddresses } from './write-addresses.ts';

type Parts = Pick<z.output<typeof contactApi.create.input>, 'addresses' | 'custom_fields' | 'tags'>;

/** Writes the parts of a contact that have rows of their own. Returns the names of the fields that were written. */
export async function writeParts(
  ctx: Context,
  contact: { readonly id: number; readonly owner_user_id: number },
  parts: Parts,
): Promise<string[]> {
  const { addresses = [], custom_fields = [], tags } = parts;
  await writeAddresses(ctx, contact.id, addresses);
  await writeCustomFields(ctx, contact.id, custom_fields);
  if (tags !== undefined) await writeTags(ctx, contact, tags);
  return [
    ...(tags === undefined ? [] : ['tags']),
    ...(addresses.length > 0 ? ['addresses'] : []),
    ...(custom_fields.length > 0 ? ['custom_fields'] : []),
  ];
}
