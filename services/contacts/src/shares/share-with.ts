import { contactChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import type { Contact } from '../contacts/contact.entity.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import type { Sharing } from './repeated-share.queries.ts';
import { Share } from './share.entity.ts';

/** Shares a locked contact with one more user. */
export async function shareWith(ctx: Context, contact: Contact, sharing: Sharing): Promise<Share> {
  const share = ctx.em.create(Share, { ...sharing, created_at: ctx.now() });
  await saveSharedUsers(ctx, contact, [...contact.shared_user_ids, sharing.user_id]);
  return share;
}

/** The ids are also stored with the contact, because every read of it checks them. */
export async function saveSharedUsers(ctx: Context, contact: Contact, userIds: number[]): Promise<void> {
  contact.shared_user_ids = userIds;
  contact.change(ctx.now());
  await ctx.em.flush();
  publish(ctx, contactChanged, contact, eventData(contact, { fields: ['shares'] }));
}
