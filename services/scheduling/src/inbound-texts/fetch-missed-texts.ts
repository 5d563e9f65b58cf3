import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import { type CarrierOptions, meaningOf, openInbox, type ReceivedText } from '@crm/delivery';
import { repeat, systemContext, type Worker, type WorkerContext } from '@crm/service';
import type { Settings } from '../settings.ts';
import { mayClaim, receiveText } from './receive-text.ts';
import { knownTexts, nextFetch, noteFetched } from './text-fetch.queries.ts';

const everyMs = 300_000;

type Work = Pick<WorkerContext, 'database' | 'clock'>;

/** Stores texts from the provider's list whose callbacks never arrived. If it is interrupted, it starts over the next time. */
export async function fetchMissedTexts(
  carrier: CarrierOptions,
  work: Work,
  stop?: AbortSignal,
): Promise<void> {
  const inbox = openInbox(carrier);
  try {
    const { asked_at, since } = await nextFetch(work.database.query);
    for await (const listed of inbox.since(since)) {
      if (stop?.aborted) return;
      await storeUnknown(work, listed);
    }
    await noteFetched(work.database.query, asked_at);
  } finally {
    await inbox.close();
  }
}

async function storeUnknown({ database: { orm, query }, clock }: Work, listed: readonly ReceivedText[]) {
  const requestId = randomUUID();
  const known = await knownTexts(
    query,
    listed.map(({ id }) => id),
  );
  for (const { id, from, text, at } of listed) {
    if (known.has(id)) continue;
    const meaning = meaningOf(text);
    const isClaim = mayClaim({ text, meaning }) ? undefined : false;
    const now = clock();
    const missed = { id, from, text, at, meaning, isAnswered: false, isClaim };
    await emFor(orm, system).transactional((em) => receiveText(systemContext(em, requestId, now), missed));
  }
}

/** Looks for missed texts at its start and then regularly, because only the gateway may have been unavailable. */
export const missedTextsWorker =
  ({ delivery: { carrier } }: Settings): Worker =>
  async (context) => {
    const stop = new AbortController();
    const fetchOnce = () =>
      fetchMissedTexts(carrier, context, stop.signal).catch((error: unknown) =>
        context.log.warn({ err: error }, 'missed texts cannot be fetched from the provider yet'),
      );
    const first = fetchOnce();
    const repeated = repeat('fetch missed texts', everyMs, fetchOnce, context.log);
    return {
      async stop() {
        stop.abort();
        await Promise.all([first, repeated.stop()]);
      },
    };
  };
