import type { Context } from '@crm/service';
import { contacts } from './peers.ts';

export type SeenContact = NonNullable<Awaited<ReturnType<typeof seenContact>>>;

/**
 * The data that messages to a contact are rendered from; undefined if the caller does not see the contact. The contacts
 * service returns this data only to the system.
 */
export async function seenContact(ctx: Context, id: number) {
  const ids = [id];
  const [[seen], [contact]] = await Promise.all([
    contacts.onBehalf(ctx).contacts.access({ ids }),
    contacts.asSystem(ctx).contacts.exportForDispatch({ ids }),
  ]);
  return seen && contact;
}
