import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAccessToken } from '@crm/auth';
import { remoteService } from '@crm/client';
import { traced, traceIds } from '@crm/telemetry';
import { startTracing } from '@crm/telemetry/start-tracing';
import { freshDatabase } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import { createLog } from './log.ts';
import { tracedService } from './traced-service.ts';

/** Records the traces that are sampled until the test ends, which somebody receives and throws away. */
async function recorded(sample = () => true) {
  const receiver = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const stop = startTracing({ service: 'notes', url: `http://127.0.0.1:${port}`, sample });
  onTestFinished(async () => {
    await stop();
    receiver.close();
  });
}

/** A token that identity knows as one of a service. */
const ofService = `crm_sv_${'x'.repeat(43)}`;

/** The service of notes, each call of which publishes an event. */
async function startedNotes() {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const service = await startNotes(fresh.urls.notes);
  onTestFinished(service.close);
  const { call, close } = remoteService(service.url);
  const traced = tracedService(service.url);
  onTestFinished(async () => void (await Promise.all([close(), traced.close()])));
  return {
    write: (token: string, traceparent?: string) => {
      const asked = {
        procedure: 'notes.create',
        input: { text: 'a' },
        credential: { token },
        requestId: 'test',
      };
      return traceparent === undefined ? traced.call(asked) : call({ ...asked, traceparent });
    },
    /** The spans that the events name. */
    published: async () => {
      const rows = await service.database.query('select payload from outbox order by id', []);
      return rows.map(({ payload }) => (payload as { traceparent?: string }).traceparent);
    },
  };
}

const inTrace = <Result>(work: () => Promise<Result>) =>
  traced(() => ({ name: 'test' }), work, { mayBegin: () => true });

it('a call of another process belongs to the trace of its caller, and so does what it publishes', async () => {
  const { write, published } = await startedNotes();
  await write(ofService);
  await recorded();
  const ids = await inTrace(async () => {
    await write(ofService);
    return traceIds();
  });
  expect(await published()).toEqual([undefined, expect.stringContaining(`00-${ids?.trace_id}-`)]);
});

it('a service called by another one begins no trace, and one that a program calls does if it is sampled', async () => {
  const { write, published } = await startedNotes();
  const samples = [false, true];
  await recorded(() => samples.shift() ?? false);
  await write(ofService);
  await write(newAccessToken());
  await write(newAccessToken());
  expect(await published()).toEqual([undefined, undefined, expect.stringMatching(/^00-.*-01$/)]);
});

it.each([
  ['recorded', '01', false],
  ['left out', '00', true],
])('a trace that a program has begun is %s as it was there', async (_what, flags, isDrawn) => {
  const { write, published } = await startedNotes();
  await recorded(() => isDrawn);
  const begun = 'c'.repeat(32);
  await write(newAccessToken(), `00-${begun}-${'d'.repeat(16)}-${flags}`);
  expect(await published()).toEqual([flags === '01' ? expect.stringContaining(begun) : undefined]);
});

it('what a trace that is left out consists of is not even looked at', async () => {
  await recorded(() => false);
  const untold = () => {
    throw new Error('Nobody asks.');
  };
  expect(await traced(untold, async () => traceIds() ?? 'done', { mayBegin: () => true })).toBe('done');
  expect(await traced(untold, async () => traceIds() ?? 'done', { causes: () => [{}] })).toBe('done');
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
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (line ? [JSON.parse(line)] : []));
  await expect
    .poll(lines)
    .toEqual([
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
      () => ({ name: 'later' }),
      async () => traceIds()?.trace_id,
      { causes: () => [{ traceparent, at }] },
    );
  expect(await following(new Date().toISOString())).toBe(first?.trace_id);
  expect(await following('2026-01-01T00:00:00.000Z')).not.toBe(first?.trace_id);
  expect(await following('2026-01-01T00:00:00.000Z')).toEqual(expect.any(String));
});
