import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';
import type { ReadyRow } from './read-row.ts';

/** Says for a contact that it gets no messages of which its row says so. Said twice, it stays said, so requests need no key. */
export async function optContactOut(
  { contacts }: ActingClient,
  id: number,
  { optOuts }: ReadyRow,
): Promise<void> {
  if (optOuts.length === 0) return;
  const states = {
    ...(optOuts.includes('Text') && { text_state: 'Opted Out' as const }),
    ...(optOuts.includes('Email') && { email_state: 'Opted Out' as const }),
  };
  await persistently(() => contacts.consents.patch({ id, ...states }));
}
