import { waker } from '@crm/messaging';
import { dueIn, repeat, type Worker } from '@crm/service';
import { forgetOldTexts, leaseTexts, postponeText, waitingTexts } from './inbound-text.queries.ts';
import { settleText, type Work } from './settle-text.ts';

const atOnce = 20;
/** One that another process took is settled by it, unless it ended. */
const longestMs = 10_000;
const failedMs = 2_000;
const forgetEveryMs = 600_000;

/** Settles texts until none is due. One that fails is postponed, and holds up no other. */
export async function settleTexts(work: Work): Promise<void> {
  const { query } = work.database;
  for (;;) {
    const texts = await leaseTexts(query, atOnce);
    await Promise.all(
      texts.map(async (text) => {
        try {
          await settleText(work, text);
        } catch (error) {
          work.log.warn({ err: error, text: text.id }, 'a text that came in is settled later');
          await postponeText(query, text, Math.min(2 ** (text.attempts - 1), 60), String(error));
        }
      }),
    );
    if (texts.length < atOnce) return;
  }
}

/** Settles texts, and returns after how many milliseconds there may be others. Never throws. */
async function settledUntil(work: Work): Promise<number> {
  try {
    await settleTexts(work);
    return Math.min(Math.max((await dueIn(work.database.query, waitingTexts)) ?? longestMs, 100), longestMs);
  } catch (error) {
    work.log.error({ err: error }, 'texts that came in cannot be settled');
    return failedMs;
  }
}

/** Settles texts that came in; `wake` makes it look for them at once. Any number of instances may run. */
export function textSettler(): { readonly worker: Worker; wake(): void } {
  const waking = waker();
  return {
    wake: waking.wake,
    worker: async (context) => {
      const forgetting = repeat(
        'forget old texts',
        forgetEveryMs,
        () => forgetOldTexts(context.database.query),
        context.log,
      );
      let stopped = false;
      const untilStopped = async () => {
        while (!stopped) {
          waking.clear();
          await waking.wait(await settledUntil(context));
        }
      };
      const running = untilStopped();
      return {
        async stop() {
          stopped = true;
          waking.wake();
          await Promise.all([running, forgetting.stop()]);
        },
      };
    },
  };
}
