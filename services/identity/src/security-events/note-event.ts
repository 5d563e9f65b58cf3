import type { Query } from '@crm/data';
import { addMail } from './account-mail.queries.ts';
import { isMailed } from './mail-words.ts';
import { type Occurrence, recordEvent } from './security-event.queries.ts';

/** Records a security event of an account and, for events that users are told about, adds an e-mail. */
export async function noteEvent(query: Query, event: Occurrence): Promise<void> {
  const id = await recordEvent(query, event);
  if (isMailed(event.kind)) await addMail(query, id);
}
