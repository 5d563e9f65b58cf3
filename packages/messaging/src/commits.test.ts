import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createService, eventually, log, type TestService } from '../test/rig.ts';
import { listenToCommits } from './commits.ts';

async function clientOf({ url }: TestService): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Commits one row for the outbox, in one session as all others. */
async function writerOf(publisher: TestService) {
  const client = await clientOf(publisher);
  const insert = () =>
    client.query(
      "insert into outbox (event_id, subject, payload) values (gen_random_uuid(), 'crm.a.b.c', '{}')",
    );
  return Object.assign(insert, { in: (statement: 'begin' | 'commit') => client.query(statement) });
}

it('notifies of few of the commits that follow each other closely, and tells of each', async () => {
  const publisher = await createService('publisher');
  const commit = await writerOf(publisher);
  const onlooker = await clientOf(publisher);
  const { rows } = await onlooker.query("select 'outbox_' || 'outbox'::regclass::oid as channel");
  await onlooker.query(`listen ${rows[0].channel}`);
  let notified = 0;
  onlooker.on('notification', () => notified++);

  const commits = listenToCommits(publisher.pool, log, () => new pg.Client(publisher.url));
  onTestFinished(() => commits.stop());
  // Until it is told of its own notification, by which it finds out whether any arrive.
  await eventually(
    async () => commits.idleMs(0, 1),
    (ms) => ms === 1,
  );

  for (let round = 0; round < 3; round++) {
    const before = notified;
    const started = performance.now();
    for (let row = 0; row < 100; row++) await commit();
    const most = 1 + Math.floor((performance.now() - started) / 200);
    await new Promise<void>((resolve) => commits.subscribe(resolve));
    await onlooker.query('select');
    expect(notified - before).toBeGreaterThan(0);
    expect(notified - before).toBeLessThanOrEqual(most + 1);
  }
});

it('tells of a commit that comes after the check that follows its notification', async () => {
  const publisher = await createService('publisher');
  const insert = await writerOf(publisher);
  const commits = listenToCommits(publisher.pool, log, () => new pg.Client(publisher.url));
  onTestFinished(() => commits.stop());
  await eventually(
    async () => commits.idleMs(0, 1),
    (ms) => ms === 1,
  );
  let told = 0;
  commits.subscribe(() => told++);
  await insert();
  await insert.in('begin');
  // Too soon after the first one to notify.
  await insert();
  await expect.poll(() => told, { timeout: 10_000 }).toBeGreaterThan(1);
  const before = told;
  await insert.in('commit');
  await expect.poll(() => told, { timeout: 20_000 }).toBeGreaterThan(before);
});
