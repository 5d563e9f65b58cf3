import { activityRecorded } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { Contact } from '../contacts/contact.entity.ts';
import type { eventApi } from './event.api.ts';
import { ContactEvent } from './event.entity.ts';
import { activityData } from './event-data.ts';

type Text = z.output<typeof eventApi.recordText.input>;

/** Records a text once per contact, as if its owner had, and returns the contacts, also for a repeated request. */
export async function recordText(ctx: Context, { text_id, contact_ids, description, at }: Text) {
  // Locked against changes, so that a concurrent repetition waits, and then finds the event.
  const contacts = await ctx.em.find(
    Contact,
    { id: { $in: contact_ids } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
  );
  const known = await ctx.em.find(ContactEvent, { text_id });
  const isKnown = new Set(known.map(({ contact_id }) => contact_id));
  const time = new Date(at);
  const added = contacts
    .filter(({ id }) => !isKnown.has(id))
    .map(({ id, owner_user_id }) =>
      ctx.em.create(ContactEvent, {
        contact_id: id,
        user_id: owner_user_id,
        source: 'api',
        type: 'text',
        description,
        text_id,
        created_at: time,
        modified_at: time,
      }),
    );
  await ctx.em.flush();
  for (const event of added) publish(ctx, activityRecorded, event, activityData(event, {}));
  return contacts.map(({ id, owner_user_id, assigned_user_id }) => ({
    contact_id: id,
    owner_user_id,
    assigned_user_id: assigned_user_id ?? null,
  }));
}
