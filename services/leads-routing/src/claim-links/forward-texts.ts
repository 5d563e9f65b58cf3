import { randomUUID } from 'node:crypto';
import { repeat, type Worker, type WorkerContext } from '@crm/service';
import { scheduling } from '../peers.ts';
import { forgetOldTexts, markForwarded, waitingTexts } from './inbound-text.queries.ts';

const everyMs = 30_000;

/** Forwards the texts that an instance of the previous release received. A text that fails does not delay the others. */
export async function forwardWaitingTexts({
  database: { query },
  peers,
  log,
}: Pick<WorkerContext, 'database' | 'peers' | 'log'>): Promise<void> {
  const { inboundTexts } = scheduling.asSystem({ peers, requestId: randomUUID() });
  for (const { id, from_number, body, received_at } of await waitingTexts(query)) {
    await inboundTexts
      .add({ id, from_number, body, received_at })
      .then(() => markForwarded(query, id))
      .catch((error: unknown) =>
        log.warn({ err: error, text: id }, 'a text could not be forwarded and will be retried'),
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
      await forwardWaitingTexts(workerContext);
    },
    workerContext.log,
  );
