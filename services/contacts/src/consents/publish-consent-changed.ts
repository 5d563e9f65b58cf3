import { consentChanged } from '@crm/events';
import type { Aggregate } from '@crm/messaging';
import { type Context, publish } from '@crm/service';
import { idsWithSameRecipients } from './consent.queries.ts';

/**
 * Publishes what an agent has said about contacts, with the other contacts of the owner that it holds for, so that whatever is
 * being sent to them is checked again. Nothing is being sent to contacts that are new.
 */
export async function publishConsentChanged(
  ctx: Context,
  contacts: readonly (Aggregate & { readonly id: number })[],
  { areNew = false, destinations = [] }: { areNew?: boolean; destinations?: readonly (string | null)[] } = {},
): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  const same = await idsWithSameRecipients(ctx.query, ids, ctx.user.id, destinations);
  for (const { id, version } of contacts) {
    const others = (same.get(id) ?? []).filter((one) => !ids.includes(one));
    const contact_ids = areNew ? others : [id, ...others];
    if (contact_ids.length > 0) publish(ctx, consentChanged, { id, version }, { contact_ids });
  }
}
