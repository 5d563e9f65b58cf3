import { dueIn, repeat, repeatAfterCommits, type Worker } from '@crm/service';
import { forgetOldTexts, leaseTexts, postponeText, waitingTexts } from './inbound-text.queries.ts';
import { settleText, type Work } from './settle-text.ts';

const atOnce = 20;
const everyMs = 250;
const forgetEveryMs = 600_000;

/** Settles texts until none is due. A text that fails is postponed, and does not block others. */
export async function settleTexts(work: Work): Promise<void> {
  const { query } = work.database;
  for (;;) {
    const texts = await leaseTexts(query, atOnce);
    await Promise.all(
      texts.map(async (text) => {
        try {
          await settleText(work, text);
        } catch (error) {
          work.log.warn(
            { err: error, text: text.id },
            'an incoming text could not be settled, and is postponed',
          );
          await postponeText(query, text, Math.min(2 ** (text.attempts - 1), 60), String(error));
        }
      }),
    );
    if (texts.length < atOnce) return;
  }
}

/** Settles incoming texts. Any number of instances may run. */
export const textSettler: Worker = async (context) => {
  const { query } = context.database;
  const settleDue = async () => {
    await settleTexts(context);
    return dueIn(query, waitingTexts);
  };
  const settling = repeatAfterCommits('settle texts', everyMs, settleDue, context);
  const forgetting = repeat('forget old texts', forgetEveryMs, () => forgetOldTexts(query), context.log);
  return {
    async stop() {
      await Promise.all([settling.stop(), forgetting.stop()]);
    },
  };
};
