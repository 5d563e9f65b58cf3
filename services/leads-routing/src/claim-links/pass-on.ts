import { randomUUID } from 'node:crypto';
import type { Query } from '@crm/data';
import { type Asker, repeat, type Worker } from '@crm/service';
import { contacts } from '../neighbours.ts';
import { forgetOldTexts, type NotedText, notePassedOn, wishesWaiting } from './inbound-text.queries.ts';

/** Tells others of a text that is not about a lead. Said twice it changes nothing. */
export async function passOn(asker: Asker, query: Query, text: NotedText): Promise<void> {
  const said = { number: text.from_number, at: new Date(text.received_at).toISOString() };
  const { optOuts } = contacts.asSystem(asker);
  switch (text.meaning) {
    case 'stop':
      await optOuts.add(said);
      break;
    case 'start':
      await optOuts.remove(said);
      break;
    default:
      // A claim is done with, and a reply of a contact is kept for the service that schedules texts to contacts.
      return;
  }
  await notePassedOn(query, text.id);
}

const everyMs = 5_000;

/** Passes on what could not be passed on at once, and forgets what is long past. */
export const inboundTexts: Worker = async ({ database: { query }, neighbours, log }) =>
  repeat(
    'pass texts on',
    everyMs,
    async () => {
      await forgetOldTexts(query);
      for (const text of await wishesWaiting(query)) {
        await passOn({ neighbours, requestId: randomUUID() }, query, text);
      }
    },
    log,
  );
