import { letPass, withStoppedClock } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import { allSent, connectedBroker, createService, log, rename } from '../test/rig.ts';
import { correctMoments } from './correct-moments.ts';
import { followOutbox } from './follow-outbox.ts';

/** What a follower gets as its first, second or later. */
async function next(followed: Awaited<ReturnType<typeof followOutbox>>, number = 1) {
  for (let count = 1; count < number; count++) await followed.next();
  const { value } = await followed.next();
  if (!value) throw new Error('The follower has ended.');
  return value;
}

/** A service, and a function that follows it until the test ends. */
async function serviceToFollow(name: string) {
  const service = await createService(name);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const commits = { subscribe: () => () => undefined };
  const follow = (position?: string) =>
    followOutbox({ pool: service.pool, commits, signal: stopping.signal }, position);
  return { service, follow };
}

it('a follower gets what is published after the clock of the database was set back', async () => {
  const { service, follow } = await serviceToFollow('set-back');
  relay(service, await connectedBroker());
  await rename(service, { name: 'before' });
  await allSent(service);
  await service.pool.query("update outbox set published_at = now() + interval '30 seconds'");
  const followed = await follow();
  await rename(service, { version: 2, name: 'after' });
  expect(await next(followed, 2)).toMatchObject({ event: { data: { name: 'after' } } });
});

it('a follower gets what is published at one moment in the order in which it was written', async () => {
  const { service, follow } = await serviceToFollow('at-once');
  const followed = await follow();
  const names = Array.from({ length: 12 }, (_, index) => `name ${index}`);
  for (const [index, name] of names.entries()) await rename(service, { name, version: index + 1 });
  relay(service, await connectedBroker());
  const received: unknown[] = [];
  for await (const { event } of followed) {
    if (event) received.push((event.data as { readonly name: string }).name);
    if (received.length === names.length) break;
  }
  expect(received).toEqual(names);
});

it('a follower of a quiet service can always continue at the position that it was told last', async () => {
  const { service, follow } = await serviceToFollow('quiet');
  relay(service, await connectedBroker());
  const { position: ofNothing } = await next(await follow());
  await rename(service, { name: 'first' });
  await allSent(service);
  expect(await next(await follow(ofNothing), 2)).toMatchObject({ event: { data: { name: 'first' } } });
  await service.pool.query("update outbox set published_at = published_at - interval '14 days 1 minute'");
  const { position: ofOld } = await next(await follow());
  await rename(service, { version: 2, name: 'second' });
  await allSent(service);
  expect(await next(await follow(ofOld), 2)).toMatchObject({ event: { data: { name: 'second' } } });
});

it('a follower that waits is told newer positions before its last one is too old', async () => {
  const { service, follow } = await serviceToFollow('waits');
  relay(service, await connectedBroker());
  await rename(service, { name: 'first' });
  await allSent(service);
  await withStoppedClock(async () => {
    // The last event was published thirteen days ago.
    await service.pool.query("update outbox set published_at = published_at - interval '13 days'");
    const { rows } = await service.pool.query<{ position: string }>(
      "select (extract(epoch from published_at) * 1000000)::bigint || '-' || id as position from outbox",
    );
    const followed = await follow(rows[0]?.position);
    const told = next(followed, 2);
    letPass(60_000);
    const dayAgo = (Date.now() - 1.1 * 86_400_000) * 1000;
    expect(Number((await told).position.split('-')[0])).toBeGreaterThan(dayAgo);
  });
});

it('a follower that was away while the clock of the database was corrected misses nothing', async () => {
  const { service, follow } = await serviceToFollow('away');
  relay(service, await connectedBroker());
  const first = await follow();
  await rename(service, { name: 'ahead' });
  await allSent(service);
  await service.pool.query("update outbox set published_at = now() + interval '2 hours'");
  const { position } = await next(first, 2);
  await first.return(undefined);
  expect(await correctMoments(service.pool, log)).toBe(1);
  await rename(service, { version: 2, name: 'after the correction' });
  await allSent(service);
  // Three hours pass: what was published becomes older, and so does the position.
  await service.pool.query("update outbox set published_at = published_at - interval '3 hours'");
  const [at = '', id] = position.split('-');
  const again = await follow(`${BigInt(at) - 3n * 3_600_000_000n}-${id}`);
  await rename(service, { version: 3, name: 'last' });
  expect(await next(again, 2)).toMatchObject({ event: { data: { name: 'after the correction' } } });
});
