import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import { allSent, connectedBroker, createService, deadLetters, effects, rename } from '../test/rig.ts';
import { sharedOrExclusive } from './shared-or-exclusive.ts';

const script = fileURLToPath(new URL('../test/crashing-consumer.ts', import.meta.url));

describe('a message in the hands of a process that ends', () => {
  it('is handled all the same, and only the one that ends processes becomes a dead letter', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    relay(publisher, broker);
    const names = ['before', 'crash', 'after'];
    for (const [id, name] of names.entries()) await rename(publisher, { id, name });
    await allSent(publisher);

    const letters = () => deadLetters(consumer);
    const isDone = async () => (await letters()).length > 0 && (await effects(consumer)).length > 1;
    for (let starts = 0; starts < 20 && !(await isDone()); starts++) {
      const child = spawn(
        process.execPath,
        [script, consumer.url, inject('natsUrl'), consumer.service, publisher.service],
        { stdio: 'ignore' },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      while (child.exitCode === null && child.signalCode === null && !(await isDone()))
        await Promise.race([ended, sleep(100)]);
      child.kill('SIGKILL');
      await ended;
    }
    expect(await effects(consumer)).toEqual(['after', 'before']);
    expect(await letters()).toMatchObject([
      { reason: expect.stringContaining('The process ended each time') },
    ]);
  });
});

describe('shared and exclusive work', () => {
  it('runs at the same time if shared, and alone if exclusive', async () => {
    const { shared, exclusive } = sharedOrExclusive(50);
    const log: string[] = [];
    let inProgress = 0;
    const work = (name: string, ms: number) => async () => {
      inProgress += 1;
      log.push(`${name} with ${inProgress - 1}`);
      await sleep(ms);
      inProgress -= 1;
    };
    await Promise.all([
      shared(work('a', 100)),
      shared(work('b', 80)),
      exclusive(work('exclusive', 20)),
      exclusive(work('exclusive too', 20)),
    ]);
    expect(log).toEqual(['a with 0', 'b with 1', 'exclusive with 0', 'exclusive too with 0']);
  });

  it('goes on after a failure, and exclusive work is not held up forever by shared work', async () => {
    const { shared, exclusive } = sharedOrExclusive(50);
    let stopped = false;
    const briefly = () => sleep(10);
    const always = [0, 5].map(async (start) => {
      await sleep(start);
      while (!stopped) await shared(briefly);
    });
    await expect(exclusive(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await exclusive(briefly);
    stopped = true;
    await Promise.all(always);
  });
});
