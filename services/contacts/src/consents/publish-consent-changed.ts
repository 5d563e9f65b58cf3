import { consentChanged } from '@crm/events';
import type { Aggregate } from '@crm/messaging';
import { type Context, publish } from '@crm/service';
import { idsWithSameRecipients, type WithEmail } from './consent.queries.ts';

/**
 * Publishes that an agent has changed the consent of contacts, with the owner's other contacts to which this applies, so that
 * messages that are being sent to them are checked again. Nothing is being sent to new contacts.
 */
export async function publishConsentChanged(
  ctx: Context,
  contacts: readonly (Aggregate & WithEmail)[],
  { areNew = false, destinations = [] }: { areNew?: boolean; destinations?: readonly (string | null)[] } = {},
): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  const same = await idsWithSameRecipients(ctx.query, contacts, ctx.user.id, destinations);
  for (const { id, version } of contacts) {
    const others = (same.get(id) ?? []).filter((one) => !ids.includes(one));
    const contact_ids = areNew ? others : [id, ...others];
    if (contact_ids.length > 0) publish(ctx, consentChanged, { id, version }, { contact_ids });
  }
}
