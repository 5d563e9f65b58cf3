import type { userCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { defaultSourceNames } from './contact-source.api.ts';
import { ContactSource } from './contact-source.entity.ts';

/** A new account gets the sources that most agents use, because clients look them up by name. */
export async function addDefaultSourcesWhenUserCreated({
  em,
  event,
}: Delivery<z.output<(typeof userCreated)['data']>>): Promise<void> {
  const at = new Date(event.time);
  for (const name of defaultSourceNames) {
    em.persist(
      em.create(ContactSource, { name, user_id: event.data.user_id, created_at: at, modified_at: at }),
    );
  }
}
