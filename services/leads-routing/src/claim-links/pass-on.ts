import { randomUUID } from 'node:crypto';
import type { Query } from '@crm/data';
import { type PeerContext, repeat, type Worker, type WorkerContext } from '@crm/service';
import { contacts, scheduling } from '../peers.ts';
import { forgetOldTexts, type NotedText, notePassedOn, textsWaiting } from './inbound-text.queries.ts';

/**
 * Tells others of a text that is no claim: contacts of a wish for no more texts or for texts again, scheduling of a
 * reply, which a wish for no more texts is too. Said twice it changes nothing.
 */
export async function passOn(peers: PeerContext, query: Query, text: NotedText): Promise<void> {
  if (text.meaning === 'claim') return;
  const said = { number: text.from_number, at: new Date(text.received_at).toISOString() };
  const { optOuts } = contacts.asSystem(peers);
  if (text.meaning === 'stop') await optOuts.add(said);
  if (text.meaning === 'start') await optOuts.remove(said);
  else await scheduling.asSystem(peers).replies.take({ id: text.id, ...said });
  await notePassedOn(query, text.id);
}

const everyMs = 5_000;

/** Passes on what could not be passed on at once. One that cannot be now does not keep the others waiting. */
export async function passTextsOn(query: Query, { peers, log }: Pick<WorkerContext, 'peers' | 'log'>) {
  for (const text of await textsWaiting(query)) {
    await passOn({ peers, requestId: randomUUID() }, query, text).catch((error: unknown) =>
      log.warn({ err: error, text: text.id }, 'a text waits to be passed on'),
    );
  }
}

/** The same again and again, and what is long past is forgotten. */
export const inboundTexts: Worker = async (workerContext) =>
  repeat(
    'pass texts on',
    everyMs,
    async () => {
      await forgetOldTexts(workerContext.database.query);
      await passTextsOn(workerContext.database.query, workerContext);
    },
    workerContext.log,
  );
