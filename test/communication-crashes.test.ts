import { afterAll, describe, expect, it } from 'vitest';
import { communicationsUnderLoad } from './load/communications-under-load.ts';
import { makeContacts } from './load/due-communications.ts';
import { openGround } from './load/ground.ts';

describe('two instances that are killed in turn', async () => {
  const cleanup = new AsyncDisposableStack();
  const ground = await openGround(cleanup);
  afterAll(() => cleanup.disposeAsync());
  const senders = await ground.people(5);
  await makeContacts(ground, senders, 400);

  it('send each of many communications that are due at the same time exactly once, and publish one event for each', async () => {
    const report = await communicationsUnderLoad(ground, senders, {
      communications: 400,
      kill: true,
      hurry: true,
    });
    expect(report).toMatchObject({
      communications: 400,
      missing: 0,
      twice: 0,
      failed: 0,
      unpublished: 0,
    });
    expect(report.kills).toBeGreaterThan(0);
  });
});
