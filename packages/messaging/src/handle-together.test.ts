import { describe, expect, it, onTestFinished } from 'vitest';
import { allAnswered, consume, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  createService,
  deadLetters,
  effects,
  eventually,
  rename,
  renamedOf,
  type TestService,
} from '../test/rig.ts';
import { clearCrashPoints, setCrashPoint } from './crash-point.ts';
import { onAll } from './subscription.ts';

const names = Array.from({ length: 40 }, (_, id) => `n${String(id).padStart(2, '0')}`);

/** Counts the events that arrive together, and notes how many there were. */
const countsAll = ({ service }: TestService, sizes: number[]) =>
  onAll(renamedOf(service), 'counts them', async ({ em, events }) => {
    sizes.push(events.length);
    for (const { id, data } of events) {
      await em.execute('insert into effects (event_id, name) values (?, ?)', [id, data.name]);
      if (data.name === 'bad') throw new Error('It fails each time.');
    }
  });

async function published(extra: readonly string[] = []) {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  relay(publisher, broker);
  for (const [id, name] of [...names, ...extra].entries()) await rename(publisher, { id, name });
  await allSent(publisher);
  return { publisher, consumer, broker };
}

describe('events that arrive together', () => {
  it('share a transaction, and one that fails fails alone', async () => {
    const { publisher, consumer, broker } = await published(['bad']);
    const sizes: number[] = [];
    const options = { backoffMs: [50], maxFailures: 2 };
    consume(consumer, broker, [countsAll(publisher, sizes)], options);
    await eventually(
      () => deadLetters(consumer),
      (letters) => letters.length > 0,
    );
    await allAnswered(broker, publisher, consumer);
    expect(await effects(consumer)).toEqual(names);
    expect(await deadLetters(consumer)).toMatchObject([
      { failures: 2, reason: 'Error: It fails each time.' },
    ]);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  it('have effect once when the answers are lost after the commit and they come again', async () => {
    const { publisher, consumer, broker } = await published();
    let lost = 0;
    onTestFinished(clearCrashPoints);
    setCrashPoint('consumer.committed', () => {
      lost += 1;
      if (lost <= names.length) throw new Error('The process crashes here.');
    });
    consume(consumer, broker, [countsAll(publisher, [])], { ackWaitMs: 500 });
    await eventually(
      () => lost,
      (times) => times >= 2 * names.length,
    );
    await allAnswered(broker, publisher, consumer);
    expect(await effects(consumer)).toEqual(names);
  });
});
