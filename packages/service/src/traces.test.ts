import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { traced, traceIds } from '@crm/telemetry';
import { startTracing } from '@crm/telemetry/start-tracing';
import { freshDatabase } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import { createLog, gatheringMs } from './log.ts';
import { tracedCaller } from './traced-caller.ts';

/** Records traces until the test ends, which somebody receives and throws away. */
async function recorded() {
  const receiver = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const stop = startTracing({ service: 'notes', url: `http://127.0.0.1:${port}`, share: 1 });
  onTestFinished(async () => {
    await stop();
    receiver.close();
  });
}

const inTrace = <Result>(work: () => Promise<Result>) => traced('test', () => ({ mayBegin: true }), work);

it('a call of another process belongs to the trace of its caller, and so does what it publishes', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const service = await startNotes(fresh.urls.notes);
  onTestFinished(service.close);
  const { call, close } = tracedCaller(service.url);
  onTestFinished(close);
  const write = (text: string) => {
    const credential = { token: `crm_op_${'x'.repeat(43)}` };
    return call({ procedure: 'notes.create', input: { text }, credential, requestId: 'test' });
  };
  await write('before');
  await recorded();
  const ids = await inTrace(async () => {
    await write('traced');
    return traceIds();
  });
  const rows = await service.database.query('select payload from outbox order by id', []);
  const spans = rows.map(({ payload }) => (payload as { traceparent?: string }).traceparent);
  expect(spans).toEqual([undefined, expect.stringContaining(`00-${ids?.trace_id}-`)]);
});

it('a line of the log names the span that it belongs to', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crm-traces-'));
  const file = join(folder.path, 'log');
  const log = createLog('notes', 'info', file);
  await recorded();
  log.info('outside');
  const ids = await inTrace(async () => {
    log.info({ of: 'a span' }, 'inside');
    return traceIds();
  });
  await sleep(2 * gatheringMs);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.not.objectContaining({ trace_id: expect.anything() }),
    expect.objectContaining({ msg: 'inside', of: 'a span', ...ids }),
  ]);
});

it('what follows much later is a trace of its own', async () => {
  await recorded();
  const first = await inTrace(async () => traceIds());
  const traceparent = `00-${first?.trace_id}-${first?.span_id}-01`;
  const following = (at: string) =>
    traced(
      'later',
      () => ({ causes: [{ traceparent, at }] }),
      async () => {
        return traceIds()?.trace_id;
      },
    );
  expect(await following(new Date().toISOString())).toBe(first?.trace_id);
  expect(await following('2026-01-01T00:00:00.000Z')).not.toBe(first?.trace_id);
  expect(await following('2026-01-01T00:00:00.000Z')).toEqual(expect.any(String));
});
