import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const fresh = await freshDatabase([notesService.store]);
const anna = someone();
const service = await startNotes(fresh.urls.notes, { actor: anna });
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const call = (procedure: string, input: object, signal?: AbortSignal) =>
  service.call({ procedure, input, credential: { actor: anna }, requestId: 'r', signal });
const send = (path: string, body: object, signal: AbortSignal) =>
  fetch(`${service.url}/trpc/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer crm_op_${'x'.repeat(43)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }).then((response) => response.text());
const written = async () =>
  (await service.database.query('select text, likes from notes order by id', [])).map(
    ({ text, likes }) => `${text} ${likes}`,
  );

/** Does something while four changes of anna wait for the first note and others of hers for their turn. */
async function whileAnnaWaits<Result>(work: () => Promise<Result>): Promise<Result> {
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from notes where id = 1 for update');
  const likes = Array.from({ length: 4 }, () => call('notes.like', { id: '1' }));
  const result = await work();
  await holder.query('commit');
  holder.release();
  await Promise.all(likes);
  // It gets its turn after all that have waited.
  await call('notes.create', { text: 'last' });
  return result;
}

/** Until the service has received or noticed what was done before: it shares this process. */
const settled = () => sleep(200);

it('a change whose caller has left while it waits for its turn does not begin, also if the connection is lost', async () => {
  await call('notes.create', { text: 'first' });
  const leaving = new AbortController();
  const { refused } = await whileAnnaWaits(async () => {
    const called = call('notes.create', { text: 'called' }, leaving.signal);
    const refused = expect(called).rejects.toMatchObject({ name: 'Unavailable', retryAfter: 1 });
    const lost = [
      send('notes.create', { text: 'sent' }, leaving.signal),
      send('notes.create?batch=1', { 0: { text: 'batch' } }, leaving.signal),
    ];
    await settled();
    leaving.abort();
    expect(await Promise.allSettled(lost)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await settled();
    return { refused };
  });
  await refused;
  expect(await written()).toEqual(['first 4', 'last 0']);
});
