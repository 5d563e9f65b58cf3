import { setTimeout as sleep } from 'node:timers/promises';
import { type Commits, listenToCommits } from '@crm/messaging';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { sid, textsOf } from '../../test/texts.ts';
import { fetchMissedTexts } from './fetch-missed-texts.ts';
import { textSettler } from './settle-texts-worker.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, number, settings, workerContext } = under;
const { post, stored } = textsOf(under);

/** Starts the worker, which looks for texts by itself only every half minute as long as notifications arrive. */
async function startSettler(commits: Commits) {
  const worker = await textSettler({ ...workerContext, commits });
  onTestFinished(() => worker.stop());
  await expect.poll(() => commits.idleMs(0, 1)).toBe(1);
}

const isSettled = (id: string) => expect.poll(() => stored(id)).toMatchObject({ settled: true });

describe('a text is settled without delay', () => {
  it('once it is received, or once it is decided that it claims no lead', async () => {
    await startSettler(workerContext.commits);
    const [stop, other] = [sid(), sid()];
    await post(number(), 'STOP', stop);
    await isSettled(stop);
    await post(number(), 'Hello', other);
    // The event of the text wakes the worker for a moment; the decision comes later and publishes none.
    await sleep(1_000);
    await service.asSystem.inboundTexts.decide({ id: other, is_claim: false, reply: null });
    await isSettled(other);
  });

  it('if another process has received, stored or fetched it', async () => {
    const { database, log } = workerContext;
    const commits = listenToCommits(database.pool, log, database.ownConnection);
    onTestFinished(() => commits.stop());
    await startSettler(commits);
    const [received, added] = [sid(), sid()];
    await post(number(), 'STOP', received);
    await isSettled(received);
    const text = { from_number: number(), body: 'Hello', received_at: new Date().toISOString() };
    await service.asSystem.inboundTexts.add({ ...text, id: added });
    await isSettled(added);
    // Nobody listens at the public URL, so the callback fails.
    const from = number();
    await carrier.reply(from, 'STOP').catch(() => undefined);
    await fetchMissedTexts(settings.delivery.carrier, workerContext);
    const [fetched] = await service.rows('select id from inbound_texts where from_number = $1', [from]);
    await isSettled(String(fetched?.id));
  });
});
