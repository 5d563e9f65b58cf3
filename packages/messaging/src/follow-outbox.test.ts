import { expect, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import { allSent, connectedBroker, createService, rename } from '../test/rig.ts';
import { followOutbox } from './follow-outbox.ts';

it('a follower gets what is published after the clock of the database was set back', async () => {
  const service = await createService('set-back');
  relay(service, await connectedBroker());
  await rename(service, { name: 'before' });
  await allSent(service);
  await service.pool.query("update outbox set published_at = now() + interval '30 seconds'");
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const commits = { subscribe: () => () => undefined };
  const followed = await followOutbox({ pool: service.pool, commits, signal: stopping.signal }, undefined);
  await rename(service, { version: 2, name: 'after' });
  const { value } = await followed.next();
  expect(value?.event.data).toMatchObject({ name: 'after' });
});

it('a follower gets what is published at one moment in the order in which it was written', async () => {
  const service = await createService('at-once');
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const commits = { subscribe: () => () => undefined };
  const followed = await followOutbox({ pool: service.pool, commits, signal: stopping.signal }, undefined);
  const names = Array.from({ length: 12 }, (_, index) => `name ${index}`);
  for (const [index, name] of names.entries()) await rename(service, { name, version: index + 1 });
  relay(service, await connectedBroker());
  const received: unknown[] = [];
  for await (const { event } of followed) {
    received.push((event.data as { readonly name: string }).name);
    if (received.length === names.length) break;
  }
  expect(received).toEqual(names);
});
