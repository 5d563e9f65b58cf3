import type { Context } from '@crm/service';
import { contacts } from '../peers.ts';

/** The fields of its contact that a lead stores; null if the contact does not exist or the caller does not see it. */
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
