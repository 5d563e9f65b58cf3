import type { Context } from '@crm/service';
import { contacts } from './peers.ts';

export type SeenContact = NonNullable<Awaited<ReturnType<typeof seenContact>>>;

/** All that messages are made of, of a contact that the caller sees; nothing of others. Only the system is told it. */
export async function seenContact(ctx: Context, id: number) {
  const ids = [id];
  const [[seen], [contact]] = await Promise.all([
    contacts.onBehalf(ctx).contacts.access({ ids }),
    contacts.asSystem(ctx).contacts.exportForDispatch({ ids }),
  ]);
  return seen && contact;
}
