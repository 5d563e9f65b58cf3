import type { userCreated } from '@crm/events';
import type { Hearing } from '@crm/messaging';
import type { z } from 'zod';
import { ContactSource } from './contact-source.entity.ts';

const usual = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];

/** A new account finds the origins that most agents have, because clients look sources up by name. */
export async function addDefaultSourcesWhenUserCreated({
  em,
  event,
}: Hearing<z.output<(typeof userCreated)['data']>>): Promise<void> {
  const at = new Date(event.time);
  for (const name of usual) {
    em.persist(
      em.create(ContactSource, { name, user_id: event.data.user_id, created_at: at, modified_at: at }),
    );
  }
}
