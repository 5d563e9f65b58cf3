import { expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

it.each([
  ['GET', undefined],
  ['POST', '{}'],
])('a call for a %s ends when the client disconnects, and not before', async (method, body) => {
  const { promise: answer, resolve } = Promise.withResolvers<{ text: string; replayed: boolean }>();
  const { calls, port } = await startThings({ answer: () => answer });
  const leaving = new AbortController();
  const send = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/things`, {
      method,
      headers: { authorization: 'Bearer good', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
      ...(signal && { signal }),
    });
  const left = send(leaving.signal);
  const stays = send();
  await expect.poll(() => calls.length).toBe(2);
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  await expect.poll(() => calls.map(({ signal }) => signal?.aborted).sort()).toEqual([false, true]);
  resolve({ text: '{}', replayed: false });
  expect((await stays).ok).toBe(true);
  expect(calls.map(({ signal }) => signal?.aborted).sort()).toEqual([false, true]);
});
