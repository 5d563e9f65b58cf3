import { freshDatabase, someone } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import { type Clock, machineClock } from './index.ts';

const fresh = await freshDatabase([notesService.store]);

/** A service on a machine with this clock. */
async function startWith(clock: Clock) {
  const service = await startNotes(fresh.urls.notes, { clock, actor: { system: true, caller: 'operator' } });
  onTestFinished(service.close);
  return service;
}

const status = async (url: string) => {
  const response = await fetch(`${url}/status`, {
    headers: { authorization: `Bearer crm_op_${'x'.repeat(43)}` },
  });
  return (await response.json()) as {
    readonly clock: { readonly aheadMs: number; readonly problem: string | null };
  };
};

const off = (ms: number) => () => new Date(machineClock().getTime() + ms);

it('a service whose clock is 5 s off is not ready and says why, and writes the time of the database', async () => {
  const { url, call, database } = await startWith(off(5_000));
  const ready = await fetch(`${url}/readyz`);
  const reason = expect.stringMatching(/^The clock of this machine is (4[89]|5[01])\d\d ms ahead of/);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', reason }]);
  const { clock } = await status(url);
  expect(clock).toEqual({ aheadMs: expect.closeTo(5_000, -3), problem: reason });
  await call({
    procedure: 'notes.create',
    input: { text: 'now' },
    credential: { actor: someone() },
    requestId: 'r',
    idempotencyKey: 'key',
  });
  const [row] = await database.query(
    'select abs(extract(epoch from now() - created_at))::float8 as off from idempotency_keys',
    [],
  );
  expect(row?.off).toBeLessThan(1);
});

it('a service whose clock is 1 s off is ready', async () => {
  const { url } = await startWith(off(-1_000));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await status(url)).clock).toEqual({ aheadMs: expect.closeTo(-1_000, -3), problem: null });
});

it('a service on the machine of its database takes the time as it is', async () => {
  const { url } = await startWith(machineClock);
  expect((await status(url)).clock).toEqual({ aheadMs: 0, problem: null });
});
