import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientTo, migrate, settingsFor } from '@crm/data';
import { keepPartitions, partitionedTables } from '@crm/messaging';
import { freshDatabase } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { connectTo } from '../start/with-clients.ts';
import { stores } from '../system/stores.ts';
import { beginTogether } from './begin-together.ts';
import { dumpService } from './dump-service.ts';

/** An event that waits, one that was published, and an entry of the audit log, whose periods have no partition yet. */
const unsorted = `
  insert into outbox (event_id, subject, payload, published_at)
    values (gen_random_uuid(), 'waits', '{}', null), (gen_random_uuid(), 'published', '{}', now());
  insert into audit_events (id, created_at, actor_type, request_id, action)
    values (gen_random_uuid(), now() - interval '70 days', 'user', 'test', 'test')`;

const isWaiting =
  'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())';

it.each(['the first database', 'another database'])(
  'has each row that is moved to another partition of %s after it has begun',
  async (which) => {
    const database = await freshDatabase([]);
    onTestFinished(database.drop);
    const store = stores.contacts;
    await migrate(database.adminUrl, store);
    const reader = await connectTo(database.adminUrl, store.schema);
    const writer = await connectTo(database.adminUrl, store.schema);
    await writer.query(unsorted);
    const elsewhere = await freshDatabase([]);
    onTestFinished(elsewhere.drop);
    const first = await connectTo(elsewhere.adminUrl, store.schema);
    await beginTogether(which === 'another database' ? [first, reader] : [reader, first]);
    const mover = clientTo(database.adminUrl, { options: settingsFor(store.schema) });
    let hasMoved = false;
    const moving = keepPartitions(mover, partitionedTables(400)).then(() => {
      hasMoved = true;
    });
    await expect.poll(async () => hasMoved || (await writer.query(isWaiting)).rowCount === 1).toBe(true);
    const folder = mkdtempSync(join(tmpdir(), 'crm-moved-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { tables } = await dumpService(reader, 'contacts', folder);
    await reader.query('rollback');
    await moving;
    await Promise.all([reader.end(), writer.end(), first.end()]);
    expect({ outbox: tables.outbox?.rows, audit_events: tables.audit_events?.rows }).toEqual({
      outbox: 2,
      audit_events: 1,
    });
  },
);
