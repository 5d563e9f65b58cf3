import { type Condition, noRecord } from '@crm/contract';
import { type Context, loadForChange } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { Event } from './event.entity.ts';
import { contactOfEvent, eventRows } from './event.queries.ts';

interface Wanted {
  readonly id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * An event to be changed and its contact, if the actor sees the contact. The contact comes first and is held
 * until the transaction ends: otherwise it could be given away, or removed with the event, in between.
 */
export async function loadEvent(ctx: Context, { id, $where }: Wanted) {
  const contact = await holdContact(ctx, await contactOfEvent(ctx.query, id));
  if (!contact) throw noRecord(id);
  return { contact, event: await loadForChange(ctx, Event, eventRows, { id, $where }) };
}

/** A contact that the actor sees, kept as it is until the transaction ends. */
export async function holdContact({ em }: Context, id: number | undefined): Promise<Contact | null> {
  return id === undefined ? null : em.findOne(Contact, id, { lockMode: LockMode.PESSIMISTIC_READ });
}
