import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contactsService } from '@crm/contacts';
import { clientTo, migrate, provisionRole } from '@crm/data';
import { startNats } from '@crm/embedded';
import { connectBroker } from '@crm/messaging';
import { createLog, linkedPeers, machineClock, type RunningService, startService } from '@crm/service';
import { someone } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  copyRunning,
  makeSynchronous,
  promote,
  rowsAt,
  startPrimary,
  startStandby,
} from '../../test/standby.ts';
import { connectTo } from '../start/with-clients.ts';
import { verifyStream } from './streams.ts';

const log = createLog('contacts', 'silent');
const anna = someone();
const patience = { timeout: 60_000, interval: 100 };

/** Stops what a test has started when the test ends, in reverse order. */
async function untilEnd<Started extends { stop(): Promise<void> }>(
  starting: Promise<Started>,
): Promise<Started> {
  const started = await starting;
  onTestFinished(() => started.stop());
  return started;
}

async function startContacts(databaseUrl: string, natsUrl: string): Promise<RunningService> {
  const identity = async () => ({ text: JSON.stringify(anna), replayed: false });
  const service = await startService(contactsService, {
    ...{ databaseUrl, natsUrl, host: '127.0.0.1', port: 0, clock: machineClock, log, checkAnswers: true },
    ...{ poolerUrl: undefined, natsReplicas: 1, auditDays: 400, historyDays: undefined, drainMs: 0 },
    peers: linkedPeers({ identity }, 'contacts'),
  });
  onTestFinished(() => service.close());
  return service;
}

/** Clients that add contacts one after the other until they are stopped. */
function startWriting(service: RunningService) {
  const [stored, refused]: [string[], unknown[]] = [[], []];
  let isStopped = false;
  async function write(writer: string) {
    for (let count = 0; !isStopped; count++) {
      const input = { first_name: `${writer}${count}` };
      const call = { procedure: 'contacts.create', input, credential: { actor: anna }, requestId: 'r' };
      await service.call(call).then(
        () => stored.push(input.first_name),
        async ({ name }) => {
          refused.push(name);
          await sleep(20);
        },
      );
    }
  }
  const writing = writers.map(write);
  const stop = async () => {
    isStopped = true;
    await Promise.all(writing);
  };
  onTestFinished(stop);
  return { stored, refused, stop };
}

const writers = ['a', 'b', 'c', 'd'];

/** Runs something while a standby is disconnected. */
async function whileCutOff(standbyUrl: string, run: () => Promise<unknown>) {
  const [receiver] = await rowsAt(standbyUrl, 'select pid from pg_stat_wal_receiver');
  process.kill(Number(receiver?.pid), 'SIGSTOP');
  await run().finally(() => process.kill(Number(receiver?.pid), 'SIGCONT'));
}

/**
 * The primary acknowledges nothing while its standby confirms nothing, because a standby that is cut off may have been promoted:
 * not even when the service stops waiting. Writes that were already in progress are acknowledged.
 */
async function expectNothingAcknowledged(
  standbyUrl: string,
  { stored, refused }: Pick<ReturnType<typeof startWriting>, 'stored' | 'refused'>,
) {
  await whileCutOff(standbyUrl, async () => {
    const before = stored.length;
    await expect.poll(() => refused.length, patience).toBeGreaterThanOrEqual(writers.length);
    expect(stored.length - before).toBeLessThanOrEqual(writers.length);
  });
}

/** A primary with copies of its data, the first of which is its synchronous standby, and a broker. */
async function startReplicated() {
  const folder = mkdtempSync(join(tmpdir(), 'crm-fail-over-'));
  // If this is root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = ['primary', 'standby', 'late'].map((name) => join(folder, name));
  const [first = '', second = '', third = ''] = folders;
  const primary = await untilEnd(startPrimary(first));
  const nats = await untilEnd(startNats({ dataDir: folder, syncInterval: '2m' }));
  // The role and the schema, which the copies contain too.
  await migrate(await provisionRole(primary.url, 'contacts'), contactsService.store);
  await copyRunning(primary.url, first, [second, third]);
  const standby = await untilEnd(startStandby(second, primary));
  await makeSynchronous(primary.url);
  return { primary, standby, late: third, nats };
}

// The synchronous standby has everything that a primary has acknowledged. For an asynchronous one, `verify` reports what it lost.
it('a promoted standby has lost nothing, or verify reports what it lost', async ({ annotate }) => {
  const { primary, standby, late: third, nats } = await startReplicated();
  const { host, href } = new URL(primary.url);
  const hosts = (...all: string[]) => `${href.replace(host, all.join())}?target_session_attrs=read-write`;
  const other = new URL(standby.url).host;
  await expect(clientTo(hosts(other, other)).connect()).rejects.toMatchObject({ code: '57P03' });
  const both = hosts(other, host);
  const service = await startContacts(await provisionRole(both, 'contacts'), nats.url);
  const { stored, refused, stop } = startWriting(service);
  await expect.poll(() => stored.length, patience).toBeGreaterThan(50);
  await expectNothingAcknowledged(standby.url, { stored, refused });
  const whenCutOff = { stored: stored.length, refused: refused.length };
  await expect.poll(() => stored.length, patience).toBeGreaterThan(whenCutOff.stored + 50);
  process.kill(primary.pid, 'SIGKILL');
  const lostAt = performance.now();
  await promote(standby.url);
  const before = stored.length;
  await expect.poll(() => stored.length, patience).toBeGreaterThan(before + 50);
  await annotate(
    `service after ${Math.round(performance.now() - lostAt)} ms, ${refused.length - whenCutOff.refused} refused`,
  );
  await stop();
  expect(new Set(refused)).toEqual(new Set(['Unavailable']));
  const kept = (await rowsAt(standby.url, 'select first_name as name from contacts.contacts')).map(
    ({ name }) => name,
  );
  expect(stored.filter((name) => !kept.includes(name))).toEqual([]);

  await expect.poll(async () => (await service.lag()).waiting, patience).toBe(0);
  const broker = connectBroker({ url: nats.url, name: 'verify', log });
  onTestFinished(() => broker.close());
  await broker.ready(60_000);
  const verify = async (url: string) => {
    const client = await connectTo(url, 'contacts');
    return verifyStream(client, 'contacts', broker, false).finally(() => client.end());
  };
  expect(await verify(standby.url)).toEqual([]);
  const late = await untilEnd(startStandby(third));
  await promote(late.url);
  const [lost] = await verify(late.url);
  expect(lost?.what).toBe('events in the stream that are not in the outbox');
  expect(lost?.count).toBeGreaterThanOrEqual(stored.length);
});

/** Adds an event with a commit that is canceled while it waits for the standby; afterwards everybody sees the event. */
async function addEventWithoutStandby(url: string) {
  const client = await connectTo(url, 'contacts');
  onTestFinished(() => client.end());
  const { processID } = client as typeof client & { processID: number };
  const adding = client.query(
    `insert into outbox (event_id, subject, payload)
     values (gen_random_uuid(), 'crm.contacts.contact.created', '{"subject": "contact/1"}')`,
  );
  // Including those of the service: commits that notify wait for each other, so this one would not start waiting for the standby.
  const cancel = `select pid, pg_cancel_backend(pid) as is_canceled from pg_stat_activity where wait_event = 'SyncRep'`;
  await expect
    .poll(() => rowsAt(url, cancel), patience)
    .toContainEqual({ pid: processID, is_canceled: true });
  await adding;
}

it('an event is published only once the synchronous standby has it, even if its commit has stopped waiting', async () => {
  const { primary, standby, nats } = await startReplicated();
  await startContacts(await provisionRole(primary.url, 'contacts'), nats.url);
  const broker = connectBroker({ url: nats.url, name: 'reader', log });
  onTestFinished(() => broker.close());
  await broker.ready(60_000);
  const published = async () => (await broker.session().jsm.streams.info('CRM_CONTACTS')).state.messages;
  await expect.poll(() => published().catch(() => undefined), patience).toBe(0);
  await whileCutOff(standby.url, async () => {
    await addEventWithoutStandby(primary.url);
    await sleep(2_000);
    expect(await published()).toBe(0);
  });
  await expect.poll(published, patience).toBe(1);
});
