import { randomUUID } from 'node:crypto';
import type { Query } from '@crm/data';
import { type PeerContext, repeat, type Worker, type WorkerContext } from '@crm/service';
import { contacts, scheduling } from '../peers.ts';
import { forgetOldTexts, markForwarded, type StoredText, waitingTexts } from './inbound-text.queries.ts';

/**
 * Forwards a text that is not a claim: STOP and START to contacts, and everything except START to scheduling, as a reply
 * of a contact. Forwarding it twice changes nothing.
 */
export async function forwardText(peers: PeerContext, query: Query, text: StoredText): Promise<void> {
  if (text.meaning === 'claim') return;
  const received = { number: text.from_number, at: text.received_at };
  const { optOuts } = contacts.asSystem(peers);
  if (text.meaning === 'stop') await optOuts.add(received);
  if (text.meaning === 'start') await optOuts.remove(received);
  else await scheduling.asSystem(peers).replies.take({ id: text.id, ...received });
  await markForwarded(query, text.id);
}

const everyMs = 5_000;

/** Forwards the texts that could not be forwarded at first. One that fails again does not delay the others. */
export async function forwardWaitingTexts(
  query: Query,
  { peers, log }: Pick<WorkerContext, 'peers' | 'log'>,
) {
  for (const text of await waitingTexts(query)) {
    await forwardText({ peers, requestId: randomUUID() }, query, text).catch((error: unknown) =>
      log.warn({ err: error, text: text.id }, 'a text could not be forwarded and will be retried'),
    );
  }
}

/** Forwards waiting texts and deletes old ones, repeatedly. */
export const textForwarder: Worker = async (workerContext) =>
  repeat(
    'forward texts',
    everyMs,
    async () => {
      await forgetOldTexts(workerContext.database.query);
      await forwardWaitingTexts(workerContext.database.query, workerContext);
    },
    workerContext.log,
  );
