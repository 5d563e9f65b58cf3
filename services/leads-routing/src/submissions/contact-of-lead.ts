import type { Context } from '@crm/service';
import { contacts } from '../peers.ts';

/** What a lead stores about its contact; null for a contact that does not exist or that the caller does not see. */
export async function contactOfLead(ctx: Context, { contact_id }: { readonly contact_id: number }) {
  const page = await contacts
    .onBehalf(ctx)
    .contacts.find({ id: contact_id, $select: ['owner_user_id', 'source_id'], $limit: 1 });
  const [contact] = page.data;
  return {
    contact_owner_user_id: contact?.owner_user_id ?? null,
    contact_source_id: contact?.source_id ?? null,
  };
}
