import type { Query } from '@crm/data';
import { addMail } from './account-mail.queries.ts';
import { isMailed } from './mail-words.ts';
import { type Occurrence, recordEvent } from './security-event.queries.ts';

/** Records what concerns the security of an account and, if its user is told of such events, adds an e-mail about it. */
export async function noteEvent(query: Query, event: Occurrence): Promise<void> {
  const id = await recordEvent(query, event);
  if (isMailed(event.kind)) await addMail(query, id);
}
