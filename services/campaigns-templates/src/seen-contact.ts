import type { Context } from '@crm/service';
import { contacts } from './peers.ts';

export type SeenContact = NonNullable<Awaited<ReturnType<typeof seenContact>>>;

/**
 * The contents of messages for a contact that the caller sees, or nothing. The contacts service returns them only to
 * the system.
 */
export async function seenContact(ctx: Context, id: number) {
  const ids = [id];
  const [[seen], [contact]] = await Promise.all([
    contacts.onBehalf(ctx).contacts.access({ ids }),
    contacts.asSystem(ctx).contacts.exportForDispatch({ ids }),
  ]);
  return seen && contact;
}
