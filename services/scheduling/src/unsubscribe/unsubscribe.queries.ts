import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';

const SentEmail = z.object({ contact_id: z.int(), email: z.string() });

const Key = z.uuid();

/** The recipient of the e-mail with a key, if one was sent, even if the contact has been removed since. */
export async function sentEmailOf(query: Query, key: string) {
  if (!Key.safeParse(key).success) return undefined;
  return queryFirst(
    query,
    SentEmail,
    `select contact_id, sent_to as email from communications
     where key = $1::uuid and type = 'Email Contact' and sent_to is not null
     union all select contact_id, address from removed_emails where key = $1::uuid`,
    [key],
  );
}
