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
