import { expect, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import { allSent, connectedBroker, createService, log, rename, type TestService } from '../test/rig.ts';
import { correctMoments } from './correct-moments.ts';
import { followOutbox } from './follow-outbox.ts';

const isFuture = "published_at > now() + interval '1 minute'";

/** The ids of events, in the order of their moments. */
async function idsOf({ pool }: TestService, where: string): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id::int from outbox where ${where} order by published_at, outbox.id`,
  );
  return rows.map(({ id }) => id);
}

/** A publisher whose database had a clock that was a year ahead, after its first event. */
async function ahead() {
  const publisher = await createService('ahead');
  relay(publisher, await connectedBroker());
  const add = async (version: number) => {
    await rename(publisher, { version, name: `n${version}` });
    await allSent(publisher);
  };
  for (const version of [1, 2]) await add(version);
  await publisher.pool.query("update outbox set published_at = now() + interval '1 year' where id = 2");
  for (const version of [3, 4]) await add(version);
  return { publisher, add };
}

async function follow({ pool }: TestService, position?: string) {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const commits = { subscribe: () => () => undefined };
  return followOutbox({ pool, commits, signal: stopping.signal }, position);
}

it('events that a wrong clock has published in the future get moments of now in their order, before any new one', async () => {
  const { publisher, add } = await ahead();
  expect(await idsOf(publisher, isFuture)).toEqual([2, 3, 4]);
  expect(await correctMoments(publisher.pool, log, 2)).toBe(3);
  await add(5);
  expect(await idsOf(publisher, isFuture)).toEqual([]);
  expect(await idsOf(publisher, 'true')).toEqual([1, 2, 3, 4, 5]);
  expect(await correctMoments(publisher.pool, log)).toBe(0);
  // Of the near future, as after a clock was set back a little.
  await publisher.pool.query("update outbox set published_at = now() + interval '30 minutes' where id = 5");
  expect(await correctMoments(publisher.pool, log)).toBe(0);
});

it('whoever follows events with such moments misses none, also after a pause', async () => {
  const { publisher, add } = await ahead();
  const followed = await follow(publisher);
  const next = async (of = followed) => {
    let { value } = await of.next();
    while (value && !value.event) ({ value } = await of.next());
    return value;
  };
  await add(5);
  const fifth = await next();
  await correctMoments(publisher.pool, log);
  await add(6);
  expect(await next()).toMatchObject({ event: { data: { name: 'n6' } } });
  const again = await follow(publisher, fifth?.position);
  expect(await next(again)).toMatchObject({ event: { data: { name: 'n6' } } });
  await expect(follow(publisher, `${Number.MAX_SAFE_INTEGER}-77`)).rejects.toThrow('not the id of an event');
});
